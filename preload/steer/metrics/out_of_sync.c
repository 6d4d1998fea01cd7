/* Out-of-sync communication (Scogland et al., section IV-A2): a rank computes although it has unsent data,
 * and the peer waits for the data.
 *
 * Both ranks are on this node: the slower one moves to a core as fast as that of the other. Unlike the paper,
 * some cases have another cause, missing progress: the MPI library holds the data although sockets have room,
 * or both cores are alike. Their remedy is progress assistance, not a swap. */
#include <stdlib.h>

#include "registry.h"

struct pair {
  int32_t sender; /* index into sum.ranks; -1: no pair */
  int32_t receiver;
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

/* The pair whose receiver waits longest. */
static struct pair worst_pair(const struct cw_view* view) {
  const struct cw_snapshot* sum = &view->analysis->sum;
  struct pair worst = {.sender = -1};
  for (int32_t i = 0; i < sum->n_peers; ++i) {
    const struct cw_peer_sample* peer = &sum->peers[i];
    const int32_t sender = cw_analysis_find(view->analysis, peer->rank);
    const int32_t receiver = cw_analysis_find(view->analysis, peer->peer);
    if (peer->bytes == 0 || !shows_symptom(view, sender, receiver)) continue;
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
      .evidence = {unsent_share(view, pair->sender), wait_share(view, pair->receiver),
                   view->analysis->sum.ranks[pair->sender].id, view->analysis->sum.ranks[pair->receiver].id},
  };
}

/* Proposes to swap the slower rank with ranks whose cores are like the faster core of the pair. */
static void propose_swaps(const struct cw_view* view, const struct pair* pair, int32_t slower, int64_t wanted,
                          struct cw_proposals* proposals) {
  const struct cw_rank_sample* ranks = view->analysis->sum.ranks;
  for (int32_t other = 0; other < view->analysis->sum.n_ranks; ++other) {
    if (other == pair->sender || other == pair->receiver) continue;
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

void cw_propose_out_of_sync(const struct cw_view* view, struct cw_proposals* proposals) {
  const struct pair pair = worst_pair(view);
  if (pair.sender < 0) return;
  const struct cw_rank_sample* ranks = view->analysis->sum.ranks;
  const int64_t of_sender = cw_analysis_capability(view, ranks[pair.sender].core);
  const int64_t of_receiver = cw_analysis_capability(view, ranks[pair.receiver].core);
  const bool alike = llabs(of_sender - of_receiver) < view->settings->capability_margin;
  if (!ranks[pair.sender].assisted && (alike || lacks_progress(view, pair.sender, pair.receiver))) {
    const struct cw_proposal proposal = proposal_for(view, &pair);
    cw_proposals_add(proposals, &proposal);
  } else if (!alike && of_sender < of_receiver) {
    propose_swaps(view, &pair, pair.sender, of_receiver, proposals);
  } else if (!alike) {
    propose_swaps(view, &pair, pair.receiver, of_sender, proposals);
  }
}

void cw_because_out_of_sync(const struct cw_proposal* proposal, struct cw_buffer* sentence) {
  const int64_t* evidence = proposal->evidence;
  cw_buffer_add(
      sentence, "rank %lld computes %.1f %% of the time with unsent data while rank %lld waits %.1f %%; ",
      (long long)evidence[2], (double)evidence[0] / 10, (long long)evidence[3], (double)evidence[1] / 10);
  if (proposal->kind == CW_PROPOSE_ASSISTANCE) {
    cw_buffer_add(sentence, "the MPI library is not called meanwhile, so progress is missing");
  } else {
    cw_buffer_add(sentence, "core %lld is like the faster core of the pair", (long long)proposal->core_b);
  }
}
