/* Communication idleness (Scogland et al., section IV-A1): a rank that waits a lot can share its core with
 * protocol processing, a rank that never waits can't.
 *
 * Unlike the paper, cores are compared by their effective capability, whatever reduces it. And a swap must
 * promise a gain: if all ranks compute the same, a swap would only move the slowness to another rank. */
#include "idleness.h"

#include "registry.h"

enum cw_core_level cw_idleness_target(enum cw_idleness idleness, enum cw_core_level level) {
  static const enum cw_core_level TARGET[3][2] = {
      [CW_IDLE_LOW] = {[CW_CORE_REDUCED] = CW_CORE_FULL, [CW_CORE_FULL] = CW_CORE_FULL},
      [CW_IDLE_MEDIUM] = {[CW_CORE_REDUCED] = CW_CORE_REDUCED, [CW_CORE_FULL] = CW_CORE_FULL},
      [CW_IDLE_HIGH] = {[CW_CORE_REDUCED] = CW_CORE_REDUCED, [CW_CORE_FULL] = CW_CORE_REDUCED},
  };
  return TARGET[idleness][level];
}

static enum cw_idleness behaviour(const struct cw_view* view, int64_t ratio) {
  if (ratio >= view->settings->high_idleness) return CW_IDLE_HIGH;
  return ratio <= view->settings->low_idleness ? CW_IDLE_LOW : CW_IDLE_MEDIUM;
}

static int64_t ratio_of(const struct cw_rank_sample* rank) {
  return cw_per_thousand(rank->wait_ns, rank->compute_ns);
}

/* Relative to the rank's own time, because ranks report at different times, and their intervals differ. */
static double compute_share(const struct cw_rank_sample* rank) {
  const double whole = (double)(rank->compute_ns + rank->wait_ns + rank->transfer_ns);
  return whole > 0 ? (double)rank->compute_ns / whole : 0;
}

/* Gain in parts per thousand if a and b swap cores: compares the compute time of the slower rank before and
 * after. Compute times scale with the cores' capabilities; the remaining time is waiting, which shrinks. */
static int64_t gain_with(const struct cw_rank_sample* a, const struct cw_rank_sample* b, int64_t capability_a,
                         int64_t capability_b) {
  const double now_a = compute_share(a), now_b = compute_share(b);
  const double then_a = now_a * (double)capability_a / (double)capability_b;
  const double then_b = now_b * (double)capability_b / (double)capability_a;
  const double now = now_a > now_b ? now_a : now_b;
  const double then = then_a > then_b ? then_a : then_b;
  return now > 0 && then < now ? (int64_t)(1000.0 * (now - then) / now) : 0;
}

/* The smaller of the gains for a low and a high cost of packets and other threads. With too low a cost, the
 * time that the slow core adds to b would count as b's own computation, and a swap of equal ranks would
 * promise a gain. */
static int64_t predicted_gain(const struct cw_view* view, const struct cw_rank_sample* a,
                              const struct cw_rank_sample* b) {
  const int64_t cheap =
      gain_with(a, b, cw_analysis_most_capability(view, a->core), cw_analysis_most_capability(view, b->core));
  const int64_t dear = gain_with(a, b, cw_analysis_least_capability(view, a->core),
                                 cw_analysis_least_capability(view, b->core));
  return cheap < dear ? cheap : dear;
}

/* The lowest confidence of the monitors that were used. */
static int64_t confidence(const struct cw_view* view) {
  int64_t least = view->confidences->of[CW_MONITOR_CALLS];
  const enum cw_monitor_id of_cores[] = {CW_MONITOR_IRQTIME, CW_MONITOR_SOFTNET, CW_MONITOR_SCHEDSTAT};
  for (int i = 0; i < 3; ++i) {
    const int64_t found = view->confidences->of[of_cores[i]];
    if (found < least && cw_analysis_accepts(view, of_cores[i], -1)) least = found;
  }
  return least;
}

/* Proposes to swap `a`, which needs less than its core, with `b`, which needs more. */
static void compare(const struct cw_view* view, int32_t a, int32_t b, struct cw_proposals* proposals) {
  const struct cw_rank_sample* of_a = &view->analysis->sum.ranks[a];
  const struct cw_rank_sample* of_b = &view->analysis->sum.ranks[b];
  const int64_t capability_a = cw_analysis_capability(view, of_a->core);
  const int64_t capability_b = cw_analysis_capability(view, of_b->core);
  if (capability_a - capability_b < view->settings->capability_margin) return;
  const int64_t gain = predicted_gain(view, of_a, of_b);
  if (gain < view->settings->least_gain) return;
  const struct cw_proposal proposal = {
      .kind = CW_PROPOSE_SWAP,
      .rank_a = of_a->id,
      .rank_b = of_b->id,
      .core_a = of_a->core,
      .core_b = of_b->core,
      .confidence = confidence(view),
      .gain = gain,
      .weight = gain,
      .evidence = {ratio_of(of_a), ratio_of(of_b), capability_a, capability_b},
  };
  cw_proposals_add(proposals, &proposal);
}

/* Should a rank of this node, if it were on a core of level `from`, be on one of level `to`? */
static bool goes_to(const struct cw_view* view, int32_t rank, enum cw_core_level from,
                    enum cw_core_level to) {
  const struct cw_rank_sample* sample = &view->analysis->sum.ranks[rank];
  return cw_analysis_accepts(view, CW_MONITOR_CALLS, rank) &&
         cw_idleness_target(behaviour(view, ratio_of(sample)), from) == to;
}

void cw_propose_idleness(const struct cw_view* view, struct cw_proposals* proposals) {
  const int32_t n = view->analysis->sum.n_ranks;
  for (int32_t a = 0; a < n; ++a) {
    if (!goes_to(view, a, CW_CORE_FULL, CW_CORE_REDUCED)) continue;
    for (int32_t b = 0; b < n; ++b) {
      if (b != a && goes_to(view, b, CW_CORE_REDUCED, CW_CORE_FULL)) compare(view, a, b, proposals);
    }
  }
}

void cw_because_idleness(const struct cw_proposal* proposal, struct cw_buffer* sentence) {
  const int64_t* evidence = proposal->evidence;
  cw_buffer_add(
      sentence,
      "rank %lld on core %lld waits %.2f times as long as it computes, and gets %.1f %% of the core; "
      "rank %lld on core %lld waits %.2f times as long, and gets %.1f %%; predicted gain %.1f %%",
      (long long)proposal->rank_a, (long long)proposal->core_a, (double)evidence[0] / 1000,
      (double)evidence[2] / 10, (long long)proposal->rank_b, (long long)proposal->core_b,
      (double)evidence[1] / 1000, (double)evidence[3] / 10, (double)proposal->gain / 10);
}
