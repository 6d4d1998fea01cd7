/* What a node tells other nodes of its job: one message with all its ranks. */
#ifndef COREWISE_STEER_REPORT_H
#define COREWISE_STEER_REPORT_H

#include "snapshot.h"

enum {
  CW_REPORT_RANKS = 64, /* of a node, those that came first; others are not told */
  CW_REPORT_PEERS = 256 /* pairs of ranks on two nodes, the first ones found */
};

struct cw_report {
  int64_t number; /* of the node's reports, from 1 */
  int64_t node;
  int64_t n_ranks;
  int64_t n_peers;
  int64_t request_number; /* of the node's requests, from 1; 0: none yet */
  int64_t request_node;   /* that the last one is for */
  struct cw_core_request request;
  struct cw_rank_sample ranks[CW_REPORT_RANKS]; /* totals since the rank's start */
  struct cw_peer_sample peers[CW_REPORT_PEERS]; /* likewise */
};

enum { CW_REPORT_WORDS = sizeof(struct cw_report) / sizeof(uint64_t) };

/* Fills `words` with what a message carries of the report: nothing of ranks and peers that it doesn't have.
 * Number of words, at most CW_REPORT_WORDS. */
int cw_report_pack(const struct cw_report* report, uint64_t* words);

/* The report of a message. False: it is none, or holds numbers that no log may hold. */
bool cw_report_unpack(const uint64_t* words, int n_words, struct cw_report* report);

#endif
