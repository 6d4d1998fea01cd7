/* See messenger.h. */
#include "messenger.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_RECEIVED = 16 /* messages in one step */ };

bool cw_messenger_start(struct cw_messenger* messenger, struct cw_board* board,
                        const struct cw_node_map* map) {
  *messenger = (struct cw_messenger){.board = board, .map = map};
  messenger->sent = calloc((size_t)map->n_nodes, sizeof *messenger->sent);
  messenger->is_wanted = calloc((size_t)map->n_nodes, sizeof *messenger->is_wanted);
  return messenger->sent != NULL && messenger->is_wanted != NULL;
}

static int32_t node_of(const struct cw_messenger* messenger, int64_t rank) {
  const bool known = rank >= 0 && rank < messenger->map->n_ranks;
  return known ? messenger->map->node_of[rank] : messenger->map->node;
}

/* Posts a report. If its node sends data to this one, the node will get this node's reports. */
static void post(struct cw_messenger* messenger) {
  const struct cw_report* report = &messenger->report;
  const int32_t own = messenger->map->node;
  if (report->node < 0 || report->node >= messenger->map->n_nodes || report->node == own) return;
  for (int64_t i = 0; i < report->n_peers; ++i) {
    if (node_of(messenger, report->peers[i].peer) == own) messenger->is_wanted[report->node] = true;
  }
  (void)cw_board_post_other(messenger->board, report);
}

static void receive(struct cw_messenger* messenger) {
  uint64_t words[CW_REPORT_WORDS];
  for (int i = 0; i < MOST_RECEIVED; ++i) {
    const int n_words = cw_node_channel_receive(words, CW_REPORT_WORDS);
    if (n_words == 0) return;
    if (cw_report_unpack(words, n_words, &messenger->report)) post(messenger);
  }
}

static void send(struct cw_messenger* messenger, int32_t node, const uint64_t* words, int n_words) {
  const int64_t number = messenger->report.number;
  if (messenger->sent[node] == number || !cw_node_channel_send(node, words, n_words)) return;
  messenger->sent[node] = number;
  atomic_fetch_add(&messenger->board->n_messages, 1);
  atomic_fetch_add(&messenger->board->n_bytes, n_words * (int64_t)sizeof *words);
}

void cw_messenger_step(struct cw_messenger* messenger) {
  receive(messenger);
  const struct cw_report* report = &messenger->report;
  if (!cw_board_read_own(messenger->board, &messenger->report)) return;
  for (int64_t i = 0; i < report->n_peers; ++i)
    messenger->is_wanted[node_of(messenger, report->peers[i].peer)] = true;
  if (report->request_number > 0 && report->request_node < messenger->map->n_nodes)
    messenger->is_wanted[report->request_node] = true;
  uint64_t words[CW_REPORT_WORDS];
  const int n_words = cw_report_pack(report, words);
  for (int32_t node = 0; node < messenger->map->n_nodes; ++node) {
    if (messenger->is_wanted[node] && node != messenger->map->node) send(messenger, node, words, n_words);
  }
}
