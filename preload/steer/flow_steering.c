/* See flow_steering.h. */
#include "flow_steering.h"

static int64_t share_of_packets(const struct cw_snapshot* sum, int64_t core) {
  int64_t all = 0, own = 0;
  for (int32_t i = 0; i < sum->n_cores; ++i) {
    all += sum->cores[i].packets;
    if (sum->cores[i].core == core) own += sum->cores[i].packets;
  }
  return (int64_t)(1000.0 * (double)own / (double)all);
}

struct cw_flow_steering cw_flow_steering_find(const struct cw_view* view) {
  const struct cw_flow_steering none = {.core = -1};
  const int64_t core = cw_analysis_protocol_core(view);
  const int32_t rank = core >= 0 ? cw_analysis_on_core(view, core) : -1;
  if (rank < 0 || !cw_analysis_accepts(view, CW_MONITOR_CALLS, rank)) return none;
  const struct cw_rank_sample* sample = &view->analysis->sum.ranks[rank];
  const int64_t whole = view->machine->cores[core].capability;
  const int64_t taken = 1000 - 1000 * cw_analysis_capability(view, core) / whole;
  const double least_wait = (double)view->settings->low_idleness / 1000 * (double)sample->compute_ns;
  if (taken < view->settings->capability_margin || (double)sample->wait_ns > least_wait) return none;
  return (struct cw_flow_steering){core, sample->id, share_of_packets(&view->analysis->sum, core), taken};
}

void cw_flow_steering_because(const struct cw_flow_steering* found, struct cw_buffer* sentence) {
  cw_buffer_add(
      sentence,
      "core %lld works on %.0f%% of the node's packets, about %.0f%% of its time, and rank %lld there "
      "hardly waits; receive flow steering (rps_sock_flow_entries, rps_flow_cnt) would have each core "
      "work on what its own rank receives",
      (long long)found->core, (double)found->share / 10, (double)found->taken / 10, (long long)found->rank);
}
