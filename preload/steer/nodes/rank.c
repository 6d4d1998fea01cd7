/* The functions of nodes.h that every rank calls. */
#include <stdlib.h>

#include "messenger.h"
#include "nodes.h"
#include "other_nodes.h"
#include "share/shared_file.h"

struct cw_nodes {
  struct cw_board* board;
  bool is_messenger;
  struct cw_messenger messenger;
};

bool cw_nodes_exchange(bool able, uint64_t identity) { return cw_node_channel_open(able, identity); }

int cw_nodes_ranks_here(void) {
  int n_ranks = 0;
  for (int32_t rank = 0; rank < cw_node_map.n_ranks; ++rank)
    n_ranks += cw_node_map.node_of[rank] == cw_node_map.node;
  return n_ranks;
}

struct cw_nodes* cw_nodes_join(const char* path, int64_t* node) {
  char message[CW_SHARED_MESSAGE_BYTES];
  if (cw_node_map.n_nodes < 2) return NULL;
  *node = cw_node_map.node;
  struct cw_nodes* nodes = calloc(1, sizeof *nodes);
  if (nodes == NULL) return NULL;
  nodes->board = cw_board_join(path, message);
  if (nodes->board == NULL) {
    free(nodes);
    return NULL;
  }
  nodes->is_messenger = cw_node_map.messenger_of[cw_node_map.node] == cw_node_map.rank &&
                        cw_messenger_start(&nodes->messenger, nodes->board, &cw_node_map);
  return nodes;
}

void cw_nodes_step(struct cw_nodes* nodes) {
  if (nodes != NULL && nodes->is_messenger) cw_messenger_step(&nodes->messenger);
}

void cw_nodes_part(void) { cw_node_channel_close(); }

struct cw_other_nodes* cw_nodes_lead(struct cw_nodes* nodes) {
  struct cw_other_nodes* others = nodes != NULL ? calloc(1, sizeof *others) : NULL;
  if (others == NULL) return NULL;
  others->board = nodes->board;
  others->map = &cw_node_map;
  return others;
}
