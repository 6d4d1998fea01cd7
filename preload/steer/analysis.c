/* Sums of snapshots over a window; accepts or discards what a monitor saw by its confidence and its events.
 */
#include "analysis.h"

#include <string.h>

struct cw_confidences cw_confidences_default(void) {
  struct cw_confidences confidences;
  for (int i = 0; i < CW_N_MONITORS; ++i) confidences.of[i] = cw_monitors[i].confidence;
  return confidences;
}

void cw_analysis_clear(struct cw_analysis* analysis) {
  analysis->n_intervals = 0;
  cw_snapshot_clear(&analysis->sum);
}

static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

static bool same_ranks(const struct cw_snapshot* a, const struct cw_snapshot* b) {
  if (a->n_ranks != b->n_ranks) return false;
  for (int32_t i = 0; i < a->n_ranks; ++i) {
    const struct cw_rank_sample *of_a = &a->ranks[i], *of_b = &b->ranks[i];
    if (of_a->id != of_b->id || of_a->node != of_b->node || of_a->core != of_b->core) return false;
  }
  return true;
}

static void add_rank(struct cw_rank_sample* sum, const struct cw_rank_sample* sample) {
  sum->capability = sample->capability;
  sum->compute_ns += sample->compute_ns;
  sum->wait_ns += sample->wait_ns;
  sum->transfer_ns += sample->transfer_ns;
  sum->calls += sample->calls;
  sum->iterations += sample->iterations;
  sum->iteration_ns += sample->iteration_ns;
  sum->unsent_compute_ns += sample->unsent_compute_ns;
  sum->unsent_bytes = larger(sum->unsent_bytes, sample->unsent_bytes);
  sum->backlog_bytes = larger(sum->backlog_bytes, sample->backlog_bytes);
  sum->request_age_ns = larger(sum->request_age_ns, sample->request_age_ns);
  sum->assisted = sample->assisted;
  sum->run_delay_ns += sample->run_delay_ns;
  sum->unexpected = larger(sum->unexpected, sample->unexpected);
  sum->posted = larger(sum->posted, sample->posted);
  sum->cache_misses =
      sum->cache_misses < 0 || sample->cache_misses < 0 ? -1 : sum->cache_misses + sample->cache_misses;
}

static bool same_pair(const struct cw_peer_sample* a, const struct cw_peer_sample* b) {
  return a->rank == b->rank && a->peer == b->peer;
}

/* `place`: where the pair was in its own interval. Intervals mostly have the same pairs in the same order. */
static void add_peer(struct cw_snapshot* sum, const struct cw_peer_sample* sample, int32_t place) {
  if (place < sum->n_peers && same_pair(&sum->peers[place], sample)) {
    sum->peers[place].bytes += sample->bytes;
    return;
  }
  for (int32_t i = 0; i < sum->n_peers; ++i) {
    if (same_pair(&sum->peers[i], sample)) {
      sum->peers[i].bytes += sample->bytes;
      return;
    }
  }
  if (sum->n_peers < CW_STEER_MOST_RANKS * CW_STEER_MOST_PEERS) sum->peers[sum->n_peers++] = *sample;
}

static void add_core(struct cw_snapshot* sum, const struct cw_core_sample* sample) {
  for (int32_t i = 0; i < sum->n_cores; ++i) {
    if (sum->cores[i].core == sample->core) {
      sum->cores[i].packets += sample->packets;
      sum->cores[i].interrupts += sample->interrupts;
      return;
    }
  }
  if (sum->n_cores < CW_STEER_MOST_CORES) sum->cores[sum->n_cores++] = *sample;
}

/* The newest request for each rank. */
static void add_request(struct cw_snapshot* sum, const struct cw_request* request) {
  int32_t place = 0;
  while (place < sum->n_requests && sum->requests[place].rank != request->rank) ++place;
  if (place == CW_STEER_MOST_REQUESTS) return;
  sum->requests[place] = *request;
  if (place == sum->n_requests) ++sum->n_requests;
}

void cw_analysis_add(struct cw_analysis* analysis, const struct cw_snapshot* snapshot) {
  struct cw_snapshot* sum = &analysis->sum;
  if (analysis->n_intervals > 0 && !same_ranks(sum, snapshot)) cw_analysis_clear(analysis);
  if (analysis->n_intervals == 0) {
    cw_snapshot_copy(sum, snapshot);
  } else {
    sum->number = snapshot->number;
    sum->time_ns = snapshot->time_ns;
    sum->length_ns += snapshot->length_ns;
    for (int32_t i = 0; i < sum->n_ranks; ++i) add_rank(&sum->ranks[i], &snapshot->ranks[i]);
    for (int32_t i = 0; i < snapshot->n_peers; ++i) add_peer(sum, &snapshot->peers[i], i);
    for (int32_t i = 0; i < snapshot->n_cores; ++i) add_core(sum, &snapshot->cores[i]);
    for (int32_t i = 0; i < snapshot->n_requests; ++i) add_request(sum, &snapshot->requests[i]);
    sum->n_targets = snapshot->n_targets;
    memcpy(sum->targets, snapshot->targets, sizeof *sum->targets * (size_t)snapshot->n_targets);
  }
  ++analysis->n_intervals;
}

static int64_t all_packets(const struct cw_snapshot* sum) {
  int64_t packets = 0;
  for (int32_t i = 0; i < sum->n_cores; ++i) packets += sum->cores[i].packets;
  return packets;
}

static int64_t all_interrupts(const struct cw_snapshot* sum) {
  int64_t interrupts = 0;
  for (int32_t i = 0; i < sum->n_cores; ++i) interrupts += sum->cores[i].interrupts;
  return interrupts;
}

/* What the monitor counts as an event: the `event` of its register row. */
static int64_t events(const struct cw_analysis* analysis, enum cw_monitor_id monitor, int32_t rank) {
  const struct cw_snapshot* sum = &analysis->sum;
  switch (monitor) {
    case CW_MONITOR_CALLS:
    case CW_MONITOR_REQUESTS:
      return sum->ranks[rank].calls;
    case CW_MONITOR_CACHE:
      return sum->ranks[rank].cache_misses;
    case CW_MONITOR_SOFTNET:
      return all_packets(sum);
    case CW_MONITOR_INTERRUPTS:
      return all_interrupts(sum);
    default:
      return analysis->n_intervals;
  }
}

bool cw_analysis_accepts(const struct cw_view* view, enum cw_monitor_id monitor, int32_t rank) {
  const int64_t confidence = view->confidences->of[monitor];
  const int64_t n_events = events(view->analysis, monitor, rank);
  return confidence > 0 && n_events > 0 && n_events >= cw_monitors[monitor].least_events * 1000 / confidence;
}

int32_t cw_analysis_find(const struct cw_analysis* analysis, int64_t rank) {
  int32_t low = 0, high = analysis->sum.n_ranks;
  while (low < high) {
    const int32_t middle = low + (high - low) / 2;
    if (analysis->sum.ranks[middle].id < rank) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < analysis->sum.n_ranks && analysis->sum.ranks[low].id == rank ? low : -1;
}

int32_t cw_analysis_on_core(const struct cw_view* view, int64_t core) {
  int32_t found = -1;
  for (int32_t i = 0; i < view->analysis->sum.n_ranks; ++i) {
    const struct cw_rank_sample* rank = &view->analysis->sum.ranks[i];
    if (rank->node != view->settings->node || rank->core != core) continue;
    if (found >= 0) return -1;
    found = i;
  }
  return found;
}

int64_t cw_analysis_protocol_core(const struct cw_view* view) {
  const struct cw_snapshot* sum = &view->analysis->sum;
  const enum cw_monitor_id monitor = cw_analysis_protocol_monitor(view);
  if (!cw_analysis_accepts(view, monitor, -1)) return -1;
  const bool by_packets = monitor == CW_MONITOR_SOFTNET;
  const int64_t all = by_packets ? all_packets(sum) : all_interrupts(sum);
  const double least = (double)all * (double)view->settings->protocol_share;
  for (int32_t i = 0; i < sum->n_cores; ++i) {
    const struct cw_core_sample* core = &sum->cores[i];
    const int64_t own = by_packets ? core->packets : core->interrupts;
    if (core->core < view->machine->n_cores && 1000.0 * (double)own >= least) return core->core;
  }
  return -1;
}

enum cw_monitor_id cw_analysis_protocol_monitor(const struct cw_view* view) {
  return view->confidences->of[CW_MONITOR_SOFTNET] > 0 ? CW_MONITOR_SOFTNET : CW_MONITOR_INTERRUPTS;
}

/* `part` of `whole` in parts per thousand, at most `most`. Products and quotients of doubles are rounded the
 * same way everywhere, and don't overflow. */
static int64_t share(double part, double whole, int64_t most) {
  const double found = whole > 0 ? 1000.0 * part / whole : 0;
  return found >= (double)most ? most : (int64_t)found;
}

/* Part of a core that the kernel's packet work takes. */
static int64_t packet_share(const struct cw_view* view, int64_t core, int64_t packet_ns) {
  const struct cw_snapshot* sum = &view->analysis->sum;
  for (int32_t i = 0; i < sum->n_cores; ++i) {
    if (sum->cores[i].core != core) continue;
    return share((double)sum->cores[i].packets * (double)packet_ns, (double)sum->length_ns,
                 view->settings->packet_most_share);
  }
  return 0;
}

/* Part of the window that the only rank of a core was runnable and did not get it. */
static int64_t delay_share(const struct cw_view* view, int64_t core) {
  const int32_t rank = cw_analysis_on_core(view, core);
  if (rank < 0) return 0;
  const struct cw_snapshot* sum = &view->analysis->sum;
  return share((double)sum->ranks[rank].run_delay_ns, (double)sum->length_ns, 1000);
}

/* `delay_factor`: parts per thousand. */
static int64_t capability(const struct cw_view* view, int64_t core, int64_t packet_ns, int64_t delay_factor) {
  int64_t left = 1000;
  if (cw_analysis_accepts(view, CW_MONITOR_SOFTNET, -1)) left -= packet_share(view, core, packet_ns);
  if (cw_analysis_accepts(view, CW_MONITOR_SCHEDSTAT, -1))
    left -= delay_share(view, core) * delay_factor / 1000;
  return larger(view->machine->cores[core].capability * larger(left, 0) / 1000, 1);
}

int64_t cw_analysis_capability(const struct cw_view* view, int64_t core) {
  return capability(view, core, view->settings->packet_ns, 1000);
}

int64_t cw_analysis_least_capability(const struct cw_view* view, int64_t core) {
  return capability(view, core, view->settings->packet_most_ns, view->settings->delay_most_factor);
}

int64_t cw_analysis_capability_of_rank(const struct cw_view* view, int32_t rank) {
  const struct cw_rank_sample* sample = &view->analysis->sum.ranks[rank];
  if (sample->node == view->settings->node) return cw_analysis_capability(view, sample->core);
  return sample->capability > 0 ? sample->capability : 1000;
}

static void add_progress(struct cw_progress* progress, bool first, int64_t units, int64_t time_ns) {
  progress->units += units;
  progress->time_ns += time_ns;
  progress->least_units = first ? units : smaller(progress->least_units, units);
}

struct cw_progress cw_analysis_progress(const struct cw_analysis* analysis, int64_t node) {
  struct cw_progress of_loop = {0}, of_calls = {0};
  bool first = true;
  for (int32_t i = 0; i < analysis->sum.n_ranks; ++i) {
    const struct cw_rank_sample* rank = &analysis->sum.ranks[i];
    if (rank->node != node) continue;
    add_progress(&of_loop, first, rank->iterations, rank->iteration_ns);
    add_progress(&of_calls, first, rank->calls, rank->compute_ns + rank->wait_ns + rank->transfer_ns);
    first = false;
  }
  return of_loop.units > 0 ? of_loop : of_calls;
}
