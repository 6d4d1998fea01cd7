/* The board of a node: the newest report of each node of the job, in shared memory without locks.
 *
 * The leader posts this node's report. The messenger sends it to other nodes, and posts the reports that it
 * receives. Any rank of the node may read at any time without waiting. */
#ifndef COREWISE_STEER_BOARD_H
#define COREWISE_STEER_BOARD_H

#include "report.h"
#include "share/sequence.h"

enum { CW_BOARD_NODES = 64 /* the first ones from which a report arrives; others are ignored */ };

struct cw_board_post {
  _Alignas(64) _Atomic uint32_t sequence;
  _Atomic int32_t node_after; /* node + 1; 0: free */
  _Atomic uint64_t words[CW_REPORT_WORDS];
};

struct cw_board {
  _Atomic uint32_t version;
  _Atomic int64_t n_messages; /* sent by the messenger to other nodes */
  _Atomic int64_t n_bytes;
  struct cw_board_post own;
  struct cw_board_post others[CW_BOARD_NODES];
};

/* Maps the file at `path`. NULL: `message` (CW_SHARED_MESSAGE_BYTES) says why. */
struct cw_board* cw_board_join(const char* path, char* message);

/* For the leader. */
void cw_board_post_own(struct cw_board* board, const struct cw_report* report);
bool cw_board_read_own(struct cw_board* board, struct cw_report* report);

/* For the messenger. False: no place left for another node. */
bool cw_board_post_other(struct cw_board* board, const struct cw_report* report);

/* The report in place 0..CW_BOARD_NODES - 1. False: none, or it is being written. */
bool cw_board_read_other(struct cw_board* board, int place, struct cw_report* report);

#endif
