/* Out-of-sync communication (Scogland et al., section IV-A2): a rank computes although it has unsent data,
 * and the peer waits for the data.
 *
 * The lowest rank of those with the symptom is the leader, and its node decides: it moves its own rank, or
 * sends a request to the node of the slower rank, which acts on it. Only one node decides, because nodes see
 * each other's samples late. Unlike the paper, some cases have another cause, missing progress: the MPI
 * library holds the data although sockets have room, or both cores are alike. Their remedy is progress
 * assistance, not a swap. */
#include <stdlib.h>

#include "registry.h"

struct pair {
  int32_t sender; /* index into sum.ranks; -1: no pair */
  int32_t receiver;
  int64_t leader;
};

static int64_t unsent_share(const struct cw_view* view, int32_t rank) {
  return cw_per_thousand(view->analysis->sum.ranks[rank].unsent_compute_ns, view->analysis->sum.length_ns);
}

static int64_t wait_share(const struct cw_view* view, int32_t rank) {
  return cw_per_thousand(view->analysis->sum.ranks[rank].wait_ns, view->analysis->sum.length_ns);
}

static bool shows_symptom(const struct cw_view* view, int32_t sender, int32_t receiver) {
  return sender >= 0 && receiver >= 0 && cw_analysis_accepts(view, CW_MONITOR_REQUESTS, sender) &&
         cw_analysis_accepts(view, CW_MONITOR_CALLS, receiver) &&
         unsent_share(view, sender) >= view->settings->unsent_share &&
         wait_share(view, receiver) >= view->settings->wait_share;
}

static int64_t lowest(int64_t a, int64_t b) { return a < b ? a : b; }

/* The pair whose receiver waits longest; its leader is the lowest rank of all pairs with the symptom. */
static struct pair worst_pair(const struct cw_view* view) {
  const struct cw_snapshot* sum = &view->analysis->sum;
  struct pair worst = {.sender = -1};
  for (int32_t i = 0; i < sum->n_peers; ++i) {
    const struct cw_peer_sample* peer = &sum->peers[i];
    const int32_t sender = cw_analysis_find(view->analysis, peer->rank);
    const int32_t receiver = cw_analysis_find(view->analysis, peer->peer);
    if (peer->bytes == 0 || !shows_symptom(view, sender, receiver)) continue;
    const int64_t leader = lowest(peer->rank, peer->peer);
    worst.leader = worst.sender < 0 ? leader : lowest(worst.leader, leader);
    if (worst.sender < 0 || sum->ranks[receiver].wait_ns > sum->ranks[worst.receiver].wait_ns) {
      worst.sender = sender;
      worst.receiver = receiver;
    }
  }
  return worst;
}

/* Is the receiver late? Messages have arrived without a matching receive, and it waits for no other. Then the
 * sender could not have sent more by calling MPI. */
static bool is_late(const struct cw_view* view, int32_t receiver) {
  const struct cw_rank_sample* rank = &view->analysis->sum.ranks[receiver];
  return cw_analysis_accepts(view, CW_MONITOR_QUEUES, receiver) && rank->unexpected > 0 && rank->posted <= 0;
}

/* Did the sockets have room while data was unsent? Then nobody called the MPI library to send it. */
static bool lacks_progress(const struct cw_view* view, int32_t sender, int32_t receiver) {
  const struct cw_rank_sample* rank = &view->analysis->sum.ranks[sender];
  return cw_analysis_accepts(view, CW_MONITOR_BACKLOG, sender) && !is_late(view, receiver) &&
         rank->backlog_bytes < rank->unsent_bytes / 2;
}

static struct cw_proposal proposal_for(const struct cw_view* view, const struct pair* pair) {
  const struct cw_confidences* confidences = view->confidences;
  return (struct cw_proposal){
      .kind = CW_PROPOSE_ASSISTANCE,
      .rank_a = view->analysis->sum.ranks[pair->sender].id,
      .rank_b = -1,
      .core_a = -1,
      .core_b = -1,
      .confidence = lowest(confidences->of[CW_MONITOR_CALLS], confidences->of[CW_MONITOR_REQUESTS]),
      .gain = -1,
      .leader = pair->leader,
      .evidence = {unsent_share(view, pair->sender), wait_share(view, pair->receiver),
                   view->analysis->sum.ranks[pair->sender].id, view->analysis->sum.ranks[pair->receiver].id},
  };
}

/* Proposes to swap the slower rank with ranks of this node whose cores are like the faster core of the
 * pair. */
static void propose_swaps(const struct cw_view* view, const struct pair* pair, int32_t slower, int64_t wanted,
                          struct cw_proposals* proposals) {
  const struct cw_rank_sample* ranks = view->analysis->sum.ranks;
  for (int32_t other = 0; other < view->analysis->sum.n_ranks; ++other) {
    if (ranks[other].node != view->settings->node || other == pair->sender || other == pair->receiver)
      continue;
    const int64_t difference = llabs(cw_analysis_capability(view, ranks[other].core) - wanted);
    if (difference >= view->settings->capability_margin) continue;
    struct cw_proposal proposal = proposal_for(view, pair);
    proposal.kind = CW_PROPOSE_SWAP;
    proposal.rank_a = ranks[slower].id;
    proposal.core_a = ranks[slower].core;
    proposal.rank_b = ranks[other].id;
    proposal.core_b = ranks[other].core;
    proposal.weight = 1000 - difference;
    cw_proposals_add(proposals, &proposal);
  }
}

/* For a slower rank on another node, if the leader is on this one. */
static void propose_request(const struct cw_view* view, const struct pair* pair, int32_t slower,
                            int64_t wanted, struct cw_proposals* proposals) {
  struct cw_proposal proposal = proposal_for(view, pair);
  proposal.kind = CW_PROPOSE_REQUEST;
  proposal.rank_a = view->analysis->sum.ranks[slower].id;
  proposal.weight = wanted;
  cw_proposals_add(proposals, &proposal);
}

/* Proposes swaps for requests of other nodes, unless the rank is on a suitable core already. */
static void propose_requested(const struct cw_view* view, struct cw_proposals* proposals) {
  const struct cw_snapshot* sum = &view->analysis->sum;
  for (int32_t i = 0; i < sum->n_requests; ++i) {
    const struct cw_core_request* request = &sum->requests[i];
    const struct pair pair = {.sender = cw_analysis_find(view->analysis, request->sender),
                              .receiver = cw_analysis_find(view->analysis, request->receiver),
                              .leader = request->leader};
    const int32_t slower = cw_analysis_find(view->analysis, request->rank);
    if (pair.sender < 0 || pair.receiver < 0 || slower < 0) continue;
    if (sum->ranks[slower].node != view->settings->node) continue;
    const int64_t has = cw_analysis_capability(view, sum->ranks[slower].core);
    if (llabs(has - request->capability) >= view->settings->capability_margin)
      propose_swaps(view, &pair, slower, request->capability, proposals);
  }
}

static bool is_on_this_node(const struct cw_view* view, int64_t rank) {
  const int32_t found = cw_analysis_find(view->analysis, rank);
  return found >= 0 && view->analysis->sum.ranks[found].node == view->settings->node;
}

void cw_propose_out_of_sync(const struct cw_view* view, struct cw_proposals* proposals) {
  propose_requested(view, proposals);
  const struct pair pair = worst_pair(view);
  if (pair.sender < 0 || proposals->n > 0) return;
  const struct cw_rank_sample* ranks = view->analysis->sum.ranks;
  const int64_t of_sender = cw_analysis_capability_of_rank(view, pair.sender);
  const int64_t of_receiver = cw_analysis_capability_of_rank(view, pair.receiver);
  const bool alike = llabs(of_sender - of_receiver) < view->settings->capability_margin;
  if (!ranks[pair.sender].assisted && (alike || lacks_progress(view, pair.sender, pair.receiver))) {
    const struct cw_proposal proposal = proposal_for(view, &pair);
    if (ranks[pair.sender].node == view->settings->node) cw_proposals_add(proposals, &proposal);
  } else if (!alike && is_on_this_node(view, pair.leader)) {
    const int32_t slower = of_sender < of_receiver ? pair.sender : pair.receiver;
    const int64_t wanted = of_sender < of_receiver ? of_receiver : of_sender;
    if (ranks[slower].node == view->settings->node) {
      propose_swaps(view, &pair, slower, wanted, proposals);
    } else {
      propose_request(view, &pair, slower, wanted, proposals);
    }
  }
}

void cw_because_out_of_sync(const struct cw_proposal* proposal, struct cw_buffer* sentence) {
  const int64_t* evidence = proposal->evidence;
  cw_buffer_add(
      sentence, "rank %lld computes %.1f %% of the time with unsent data while rank %lld waits %.1f %%; ",
      (long long)evidence[2], (double)evidence[0] / 10, (long long)evidence[3], (double)evidence[1] / 10);
  if (proposal->kind == CW_PROPOSE_ASSISTANCE) {
    cw_buffer_add(sentence,
                  "the MPI library is not called meanwhile, so progress is missing; leader rank %lld",
                  (long long)proposal->leader);
  } else if (proposal->kind == CW_PROPOSE_REQUEST) {
    cw_buffer_add(sentence,
                  "the node of rank %lld is asked for a core that a rank gets %.1f %% of; leader rank %lld",
                  (long long)proposal->rank_a, (double)proposal->weight / 10, (long long)proposal->leader);
  } else {
    cw_buffer_add(sentence, "core %lld is like the faster core of the pair; leader rank %lld",
                  (long long)proposal->core_b, (long long)proposal->leader);
  }
}
