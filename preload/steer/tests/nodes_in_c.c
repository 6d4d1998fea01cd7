/* See nodes_in_c.h. Replaces the functions of nodes/channel.h, which use MPI in a job, by a synthetic
 * network. */
#include "nodes_in_c.h"

#include <stdlib.h>
#include <string.h>

#include "nodes/messenger.h"
#include "nodes/other_nodes.h"

enum { NODES = 2, RANKS = 4 };

struct node {
  struct cw_board* board;
  struct cw_node_map map;
  struct cw_messenger messenger;
  struct cw_other_nodes others;
  int n_words; /* of the message on its way to the node; 0: none */
  uint64_t words[CW_REPORT_WORDS];
};

struct NodesTest {
  int current; /* node whose messenger is at work */
  int n_carried;
  int32_t node_of[RANKS];
  int32_t messenger_of[NODES];
  struct node nodes[NODES];
};

static NodesTest* network; /* of the messenger at work */

bool cw_node_channel_send(int32_t node, const uint64_t* words, int n_words) {
  struct node* to = &network->nodes[node];
  if (to->n_words > 0) return false;
  memcpy(to->words, words, (size_t)n_words * sizeof *words);
  to->n_words = n_words;
  ++network->n_carried;
  return true;
}

int cw_node_channel_receive(uint64_t* words, int most) {
  struct node* own = &network->nodes[network->current];
  const int n_words = own->n_words;
  if (n_words == 0 || n_words > most) return 0;
  memcpy(words, own->words, (size_t)n_words * sizeof *words);
  own->n_words = 0;
  return n_words;
}

NodesTest* nodes_test_make(void) {
  NodesTest* test = calloc(1, sizeof *test);
  for (int32_t rank = 0; rank < RANKS; ++rank) test->node_of[rank] = rank / NODES;
  for (int32_t node = 0; node < NODES; ++node) {
    struct node* made = &test->nodes[node];
    test->messenger_of[node] = node * RANKS / NODES;
    made->board = aligned_alloc(64, sizeof *made->board);
    memset(made->board, 0, sizeof *made->board);
    made->map =
        (struct cw_node_map){RANKS, NODES, node, test->messenger_of[node], test->node_of, test->messenger_of};
    cw_messenger_start(&made->messenger, made->board, &made->map);
    made->others.board = made->board;
    made->others.map = &made->map;
  }
  return test;
}

void nodes_test_free(NodesTest* test) {
  for (int node = 0; node < NODES; ++node) {
    free(test->nodes[node].board);
    free(test->nodes[node].messenger.sent);
    free(test->nodes[node].messenger.is_wanted);
  }
  free(test);
}

void nodes_test_report(NodesTest* test, int node, const struct cw_steering* steering,
                       const struct cw_snapshot* snapshot, const struct cw_rank_sample* totals, int n_ranks,
                       const struct cw_peer_sample* peers, int n_peers) {
  struct cw_other_nodes* others = &test->nodes[node].others;
  cw_other_nodes_begin_report(others, steering, snapshot);
  for (int i = 0; i < n_ranks; ++i) {
    struct cw_peer_sample own[RANKS];
    int n_own = 0;
    for (int j = 0; j < n_peers; ++j)
      if (peers[j].rank == totals[i].id) own[n_own++] = peers[j];
    cw_other_nodes_tell(others, snapshot, &totals[i], own, n_own);
  }
  cw_other_nodes_end_report(others);
}

void nodes_test_ask(NodesTest* test, int node, const struct cw_proposal* proposal) {
  cw_other_nodes_ask(&test->nodes[node].others, proposal);
}

void nodes_test_messenger(NodesTest* test, int node) {
  network = test;
  test->current = node;
  cw_messenger_step(&test->nodes[node].messenger);
}

int nodes_test_under_way(const NodesTest* test, int node) { return test->nodes[node].n_words > 0; }

int nodes_test_carried(const NodesTest* test) { return test->n_carried; }

void nodes_test_take(NodesTest* test, int node, int64_t now_ns, struct cw_snapshot* snapshot) {
  cw_other_nodes_take(&test->nodes[node].others, now_ns, snapshot);
}
