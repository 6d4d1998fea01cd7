/* Cache locality (Scogland et al., section IV-A3): the ranks with most traffic between nodes should share a
 * cache with the protocol core, the core that processes most packets.
 *
 * A rank with little traffic near the protocol core swaps with one with much traffic elsewhere. If cache
 * misses are counted and all cores near the protocol core have such heavy ranks already, one more may use the
 * protocol core itself. Unlike the paper, bytes between nodes choose the ranks, so that the metric works
 * without hardware counters, with less confidence. */
#include "registry.h"

/* Bytes show who communicates, but only cache misses show that data comes from another cache. */
enum { CONFIDENCE_WITHOUT_MISSES = 450 };

static bool is_near(const struct cw_view* view, int64_t protocol_core, int64_t core) {
  return core != protocol_core && cw_steer_cores_near(view->machine, protocol_core, core);
}

static bool has_misses(const struct cw_view* view, int32_t rank) {
  return cw_analysis_accepts(view, CW_MONITOR_CACHE, rank);
}

/* Does the heavy rank miss more often? True if misses were not counted. */
static bool misses_more(const struct cw_view* view, int32_t heavy, int32_t light) {
  const struct cw_rank_sample* ranks = view->analysis->sum.ranks;
  if (!has_misses(view, heavy) || ranks[light].cache_misses < 0) return true;
  return cw_per_thousand(ranks[heavy].cache_misses, ranks[light].cache_misses) >=
         view->settings->heavy_factor;
}

static int64_t confidence(const struct cw_view* view, bool counted) {
  const int64_t of_core = view->confidences->of[CW_MONITOR_SOFTNET];
  return counted || of_core < CONFIDENCE_WITHOUT_MISSES ? of_core : CONFIDENCE_WITHOUT_MISSES;
}

static void compare(const struct cw_view* view, int32_t heavy, int32_t light,
                    struct cw_proposals* proposals) {
  const struct cw_rank_sample* ranks = view->analysis->sum.ranks;
  const int64_t bytes = cw_analysis_remote_bytes(view, heavy), less = cw_analysis_remote_bytes(view, light);
  if (bytes == 0 || cw_per_thousand(bytes, less) < view->settings->heavy_factor) return;
  if (!misses_more(view, heavy, light)) return;
  const bool counted = has_misses(view, heavy) && ranks[light].cache_misses >= 0;
  const struct cw_proposal proposal = {
      .kind = CW_PROPOSE_SWAP,
      .rank_a = ranks[heavy].id,
      .rank_b = ranks[light].id,
      .core_a = ranks[heavy].core,
      .core_b = ranks[light].core,
      .confidence = confidence(view, counted),
      .gain = -1,
      .weight = bytes - less,
      .evidence = {bytes, less, ranks[heavy].cache_misses, ranks[light].cache_misses},
  };
  cw_proposals_add(proposals, &proposal);
}

/* Compares ranks that are not near the protocol core with the rank on `core`. */
static void compare_all(const struct cw_view* view, int64_t protocol_core, int64_t core,
                        struct cw_proposals* proposals) {
  const int32_t light = cw_analysis_on_core(view, core);
  if (light < 0) return;
  for (int32_t heavy = 0; heavy < view->analysis->sum.n_ranks; ++heavy) {
    const struct cw_rank_sample* rank = &view->analysis->sum.ranks[heavy];
    if (!cw_analysis_accepts(view, CW_MONITOR_CALLS, heavy)) continue;
    if (!cw_steer_cores_near(view->machine, protocol_core, rank->core))
      compare(view, heavy, light, proposals);
  }
}

/* Keeps proposals with counted misses: without them, idleness is the better reason to use the protocol
 * core. */
static void keep_counted(struct cw_proposals* proposals) {
  int32_t n = 0;
  for (int32_t i = 0; i < proposals->n; ++i) {
    const struct cw_proposal* proposal = &proposals->at[i];
    if (proposal->evidence[2] > 0 && proposal->evidence[3] >= 0) proposals->at[n++] = *proposal;
  }
  proposals->n = n;
}

void cw_propose_cache_locality(const struct cw_view* view, struct cw_proposals* proposals) {
  const int64_t protocol_core = cw_analysis_protocol_core(view);
  if (protocol_core < 0 || view->machine->near_level < 0) return;
  for (int64_t core = 0; core < view->machine->n_cores; ++core) {
    if (is_near(view, protocol_core, core)) compare_all(view, protocol_core, core, proposals);
  }
  if (proposals->n > 0) return;
  compare_all(view, protocol_core, protocol_core, proposals);
  keep_counted(proposals);
}

void cw_because_cache_locality(const struct cw_proposal* proposal, struct cw_buffer* sentence) {
  const int64_t* evidence = proposal->evidence;
  cw_buffer_add(
      sentence,
      "rank %lld exchanged %lld bytes with other nodes, away from the cache of the protocol core, and "
      "rank %lld next to it %lld bytes",
      (long long)proposal->rank_a, (long long)evidence[0], (long long)proposal->rank_b,
      (long long)evidence[1]);
  if (evidence[2] >= 0 && evidence[3] >= 0) {
    cw_buffer_add(sentence, "; cache misses %lld and %lld", (long long)evidence[2], (long long)evidence[3]);
  }
}
