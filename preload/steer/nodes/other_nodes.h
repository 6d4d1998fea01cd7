/* Definition of struct cw_other_nodes (nodes.h). */
#ifndef COREWISE_STEER_OTHER_NODES_H
#define COREWISE_STEER_OTHER_NODES_H

#include "board.h"
#include "channel.h"
#include "nodes.h"

/* The node in one place of the board. */
struct cw_other_node {
  int64_t seen_ns; /* when its last report was read */
  struct cw_report last;
};

struct cw_other_nodes {
  struct cw_board* board;
  const struct cw_node_map* map;
  int64_t n_messages; /* on the board at the last reading */
  int64_t n_bytes;
  struct cw_analysis window; /* sums of this node, which give the capability of its cores */
  struct cw_analysis_index index;
  struct cw_report own;
  struct cw_other_node nodes[CW_BOARD_NODES];
};

#endif
