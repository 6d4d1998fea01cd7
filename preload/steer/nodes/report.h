/* The report of a node to other nodes of the job: one message about all its ranks. */
#ifndef COREWISE_STEER_REPORT_H
#define COREWISE_STEER_REPORT_H

#include "snapshot.h"

enum {
  CW_REPORT_RANKS = 64, /* the first ranks of a node; others are left out */
  CW_REPORT_PEERS = 256 /* the first pairs of ranks on two nodes */
};

struct cw_report {
  int64_t number; /* counts the node's reports, from 1 */
  int64_t node;
  int64_t n_ranks;
  int64_t n_peers;
  int64_t request_number; /* counts the node's requests, from 1; 0: none yet */
  int64_t request_node;   /* the node that the last request is for */
  struct cw_core_request request;
  struct cw_rank_sample ranks[CW_REPORT_RANKS]; /* totals since the rank's start */
  struct cw_peer_sample peers[CW_REPORT_PEERS]; /* totals since the rank's start */
};

enum { CW_REPORT_WORDS = sizeof(struct cw_report) / sizeof(uint64_t) };

/* Sets `words` to the message for a report, without unused entries. Returns the number of words, at most
 * CW_REPORT_WORDS. */
int cw_report_pack(const struct cw_report* report, uint64_t* words);

/* The report in a message. False: it is malformed, or has numbers that are invalid in a log. */
bool cw_report_unpack(const uint64_t* words, int n_words, struct cw_report* report);

#endif
