/* Moves ranks towards a solver's placement by swaps within the node. Swaps that put both ranks in place come
 * first. A target core without exactly one rank can't be reached by a swap. */
#include "registry.h"

static int64_t target_of(const struct cw_view* view, int64_t rank) {
  for (int32_t i = 0; i < view->analysis->sum.n_targets; ++i) {
    if (view->analysis->sum.targets[i].rank == rank) return view->analysis->sum.targets[i].core;
  }
  return -1;
}

void cw_propose_placement(const struct cw_view* view, struct cw_proposals* proposals) {
  const struct cw_rank_sample* ranks = view->analysis->sum.ranks;
  for (int32_t i = 0; i < view->analysis->sum.n_targets; ++i) {
    const struct cw_target* target = &view->analysis->sum.targets[i];
    const int32_t rank = cw_analysis_find(view->analysis, target->rank);
    if (rank < 0 || ranks[rank].core == target->core) continue;
    const int32_t other = cw_analysis_on_core(view, target->core);
    if (other < 0 || target_of(view, ranks[other].id) == target->core) continue;
    const int64_t settled = target_of(view, ranks[other].id) == ranks[rank].core ? 2 : 1;
    const struct cw_proposal proposal = {
        .kind = CW_PROPOSE_SWAP,
        .rank_a = ranks[rank].id,
        .rank_b = ranks[other].id,
        .core_a = ranks[rank].core,
        .core_b = ranks[other].core,
        .confidence = view->confidences->of[CW_MONITOR_CALLS],
        .gain = -1,
        .weight = settled,
        .evidence = {settled},
    };
    cw_proposals_add(proposals, &proposal);
  }
}

void cw_because_placement(const struct cw_proposal* proposal, struct cw_buffer* sentence) {
  cw_buffer_add(sentence, "the solver's placement has rank %lld on core %lld; the swap brings %s there",
                (long long)proposal->rank_a, (long long)proposal->core_b,
                proposal->evidence[0] == 2 ? "both ranks" : "one rank");
}
