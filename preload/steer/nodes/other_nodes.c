/* See nodes.h. */
#include "other_nodes.h"

static const int64_t SILENT_NS = INT64_C(2000000000);

static const struct cw_rank_sample* find_rank(const struct cw_rank_sample* ranks, int64_t n, int64_t id) {
  for (int64_t i = 0; i < n; ++i) {
    if (ranks[i].id == id) return &ranks[i];
  }
  return NULL;
}

/* Adds all ranks of a report, even those that reported nothing new since the last snapshot. */
static void add_ranks(const struct cw_report* now, const struct cw_report* before,
                      struct cw_snapshot* snapshot) {
  for (int64_t i = 0; i < now->n_ranks && snapshot->n_ranks < CW_STEER_MOST_RANKS; ++i) {
    const struct cw_rank_sample* last = find_rank(before->ranks, before->n_ranks, now->ranks[i].id);
    if (last == NULL || find_rank(snapshot->ranks, snapshot->n_ranks, now->ranks[i].id) != NULL) continue;
    snapshot->ranks[snapshot->n_ranks++] = cw_rank_sample_growth(&now->ranks[i], last);
  }
}

static int64_t bytes_before(const struct cw_report* before, const struct cw_peer_sample* peer) {
  for (int64_t i = 0; i < before->n_peers; ++i) {
    if (before->peers[i].rank == peer->rank && before->peers[i].peer == peer->peer)
      return before->peers[i].bytes;
  }
  return before->n_peers < CW_REPORT_PEERS ? 0 : peer->bytes; /* a full report may have lacked this pair */
}

static void add_peers(const struct cw_report* now, const struct cw_report* before,
                      struct cw_snapshot* snapshot) {
  const int32_t most = CW_STEER_MOST_RANKS * CW_STEER_MOST_PEERS;
  for (int64_t i = 0; i < now->n_peers && snapshot->n_peers < most; ++i) {
    struct cw_peer_sample peer = now->peers[i];
    peer.bytes = cw_grown(peer.bytes, bytes_before(before, &peer));
    if (peer.bytes > 0) snapshot->peers[snapshot->n_peers++] = peer;
  }
}

static void take_node(struct cw_other_nodes* others, int place, int64_t now_ns,
                      struct cw_snapshot* snapshot) {
  struct cw_other_node* node = &others->nodes[place];
  struct cw_report now;
  const bool found = cw_board_read_other(others->board, place, &now);
  if (!found && node->last.number == 0) return;
  if (!found) now = node->last;
  if (now.number != node->last.number) {
    const bool is_asked = node->last.number != 0 && now.request_number > node->last.request_number;
    node->seen_ns = now_ns;
    if (is_asked && now.request_node == others->map->node && snapshot->n_requests < CW_STEER_MOST_REQUESTS)
      snapshot->requests[snapshot->n_requests++] = now.request;
  }
  if (now_ns - node->seen_ns > SILENT_NS) return;
  if (node->last.number != 0) {
    add_ranks(&now, &node->last, snapshot);
    add_peers(&now, &node->last, snapshot);
  }
  node->last = now;
}

void cw_other_nodes_take(struct cw_other_nodes* others, int64_t now_ns, struct cw_snapshot* snapshot) {
  if (others == NULL) return;
  for (int place = 0; place < CW_BOARD_NODES; ++place) take_node(others, place, now_ns, snapshot);
  const int64_t n_messages = atomic_load(&others->board->n_messages);
  const int64_t n_bytes = atomic_load(&others->board->n_bytes);
  snapshot->own_messages = cw_grown(n_messages, others->n_messages);
  snapshot->own_bytes = cw_grown(n_bytes, others->n_bytes);
  others->n_messages = n_messages;
  others->n_bytes = n_bytes;
}

void cw_other_nodes_begin_report(struct cw_other_nodes* others, const struct cw_steering* steering,
                                 const struct cw_snapshot* snapshot) {
  if (others == NULL) return;
  struct cw_report* own = &others->own;
  cw_analysis_add(&others->window, snapshot, others->map->node);
  struct cw_view view = {&steering->machine, &steering->settings, &steering->confidences, &others->window,
                         NULL};
  cw_view_index(&view, &others->index);
  if (others->window.sum.length_ns >= steering->settings.window_ns) cw_analysis_clear(&others->window);
  own->number += 1;
  own->node = others->map->node;
  own->n_ranks = own->n_peers = 0;
}

/* Adds pairs of ranks on two nodes. */
static void tell_peers(struct cw_other_nodes* others, const struct cw_peer_sample* peers, int64_t n_peers) {
  struct cw_report* own = &others->own;
  for (int64_t i = 0; i < n_peers && own->n_peers < CW_REPORT_PEERS; ++i) {
    const int64_t peer = peers[i].peer;
    if (peer < 0 || peer >= others->map->n_ranks || others->map->node_of[peer] == own->node) continue;
    own->peers[own->n_peers++] = peers[i];
  }
}

void cw_other_nodes_tell(struct cw_other_nodes* others, const struct cw_snapshot* snapshot,
                         const struct cw_rank_sample* total, const struct cw_peer_sample* peers,
                         int64_t n_peers) {
  struct cw_report* own = &others->own;
  const struct cw_rank_sample* sample = find_rank(snapshot->ranks, snapshot->n_ranks, total->id);
  if (sample == NULL || own->n_ranks == CW_REPORT_RANKS) return;
  struct cw_rank_sample* rank = &own->ranks[own->n_ranks++];
  *rank = *total;
  rank->node = own->node;
  rank->core = sample->core;
  rank->capability = others->index.capability[sample->core];
  tell_peers(others, peers, n_peers);
}

void cw_other_nodes_ask(struct cw_other_nodes* others, const struct cw_proposal* proposal) {
  const int64_t rank = proposal->rank_a;
  if (others == NULL || rank < 0 || rank >= others->map->n_ranks) return;
  struct cw_report* own = &others->own;
  own->request_number += 1;
  own->request_node = others->map->node_of[rank];
  own->request = (struct cw_core_request){.rank = rank,
                                          .capability = proposal->weight,
                                          .leader = proposal->leader,
                                          .sender = proposal->evidence[2],
                                          .receiver = proposal->evidence[3]};
}

void cw_other_nodes_end_report(struct cw_other_nodes* others) {
  if (others != NULL) cw_board_post_own(others->board, &others->own);
}
