/* What a node's leader knows of other nodes: their reports as samples of its snapshots, and its own report.
 */
#ifndef COREWISE_STEER_OTHER_NODES_H
#define COREWISE_STEER_OTHER_NODES_H

#include "decide.h"
#include "live/node_channel.h"
#include "share/board.h"

/* In one place of the board. */
struct cw_other_node {
  int64_t seen_ns; /* when its last report was found */
  struct cw_report last;
};

struct cw_other_nodes {
  struct cw_board* board; /* NULL: the job has no other nodes, or they are not heard of */
  const struct cw_node_map* map;
  int64_t n_messages; /* of the board, when it was last looked at */
  int64_t n_bytes;
  struct cw_analysis window; /* of this node's intervals, for what is left of its cores */
  struct cw_analysis_index index;
  struct cw_report own;
  struct cw_other_node nodes[CW_BOARD_NODES];
};

/* Adds to a snapshot what the ranks of other nodes did since the last one, what they ask this node for, and
 * how many messages this node sent for it. Of a node that tells nothing for two seconds nothing is known. */
void cw_other_nodes_take(struct cw_other_nodes* others, int64_t now_ns, struct cw_snapshot* snapshot);

/* Begins this node's next report, from its part of the snapshot. */
void cw_other_nodes_begin_report(struct cw_other_nodes* others, const struct cw_steering* steering,
                                 const struct cw_snapshot* snapshot);

/* Adds a rank with its totals. One without a sample in that snapshot is left out. */
void cw_other_nodes_tell(struct cw_other_nodes* others, const struct cw_snapshot* snapshot,
                         const struct cw_rank_sample* total, const struct cw_peer_sample* peers,
                         int64_t n_peers);

/* The leader decided to ask the node of a rank for something: the next report says so. */
void cw_other_nodes_ask(struct cw_other_nodes* others, const struct cw_proposal* proposal);

/* Posts the report. */
void cw_other_nodes_end_report(struct cw_other_nodes* others);

#endif
