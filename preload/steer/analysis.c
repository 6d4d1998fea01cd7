/* See analysis.h. */
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

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

/* Are the ranks the same in both snapshots, each on the same core? */
static bool same_ranks(const struct cw_snapshot* a, const struct cw_snapshot* b) {
  for (int32_t i = 0; i < a->n_ranks && i < b->n_ranks; ++i)
    if (a->ranks[i].id != b->ranks[i].id || a->ranks[i].core != b->ranks[i].core) return false;
  return a->n_ranks == b->n_ranks;
}

static bool same_pair(const struct cw_peer_sample* a, const struct cw_peer_sample* b) {
  return a->rank == b->rank && a->peer == b->peer;
}

/* `place`: index of the pair in its own snapshot, tried first. */
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

/* `place`: index of the core in its own snapshot, tried first. */
static void add_core(struct cw_snapshot* sum, const struct cw_core_sample* sample, int32_t place) {
  if (place >= sum->n_cores || sum->cores[place].core != sample->core) {
    for (place = 0; place < sum->n_cores && sum->cores[place].core != sample->core;) ++place;
  }
  if (place == CW_STEER_MOST_CORES) return;
  if (place == sum->n_cores) {
    sum->cores[sum->n_cores++] = *sample;
    return;
  }
  cw_core_sample_add(&sum->cores[place], sample);
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
    for (int32_t i = 0; i < snapshot->n_ranks; ++i) cw_rank_sample_add(&sum->ranks[i], &snapshot->ranks[i]);
    for (int32_t i = 0; i < snapshot->n_peers; ++i) add_peer(sum, &snapshot->peers[i], i);
    for (int32_t i = 0; i < snapshot->n_cores; ++i) add_core(sum, &snapshot->cores[i], i);
    sum->n_targets = snapshot->n_targets;
    memcpy(sum->targets, snapshot->targets, sizeof *sum->targets * (size_t)snapshot->n_targets);
  }
  ++analysis->n_intervals;
}

/* Sum of a field of sample.def over all cores; -1: not counted for some core. */
static int64_t of_cores(const struct cw_snapshot* sum, size_t offset) {
  int64_t all = 0;
  for (int32_t i = 0; i < sum->n_cores; ++i) {
    const int64_t of_core = *(const int64_t*)((const char*)&sum->cores[i] + offset);
    if (of_core < 0) return -1;
    all += of_core;
  }
  return all;
}

#define EVENTS_INTERVALS view->analysis->n_intervals
#define EVENTS_RANK(field) sum->ranks[rank].field
#define EVENTS_CORES(field) of_cores(sum, offsetof(struct cw_core_sample, field))
#define EVENTS_TICKS(field) EVENTS_CORES(field) / view->settings->tick_ns

/* Number of events that the monitor counted, as its row in monitors.def defines them. */
static int64_t events_of(const struct cw_view* view, enum cw_monitor_id monitor, int32_t rank) {
  const struct cw_snapshot* sum = &view->analysis->sum;
  switch (monitor) {
#define CW_MONITOR(id, name, confidence, least_events, events, ...) \
  case CW_MONITOR_##id:                                             \
    return EVENTS_##events;
#include "monitors/monitors.def"
    default:
      return 0;
  }
}

bool cw_analysis_accepts(const struct cw_view* view, enum cw_monitor_id monitor, int32_t rank) {
  const int64_t confidence = view->confidences->of[monitor];
  const int64_t n_events = events_of(view, monitor, rank);
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

int64_t cw_analysis_protocol_core(const struct cw_view* view) {
  const struct cw_snapshot* sum = &view->analysis->sum;
  if (!cw_analysis_accepts(view, CW_MONITOR_SOFTNET, -1)) return -1;
  const double least = (double)EVENTS_CORES(packets) * (double)view->settings->protocol_share;
  for (int32_t i = 0; i < sum->n_cores; ++i) {
    const struct cw_core_sample* core = &sum->cores[i];
    if (core->core < view->machine->n_cores && 1000.0 * (double)core->packets >= least) return core->core;
  }
  return -1;
}

struct cw_progress cw_analysis_progress(const struct cw_analysis* analysis) {
  struct cw_progress progress = {0};
  for (int32_t i = 0; i < analysis->sum.n_ranks; ++i) {
    const struct cw_rank_sample* rank = &analysis->sum.ranks[i];
    progress.calls += rank->calls;
    progress.time_ns += rank->compute_ns + rank->wait_ns + rank->transfer_ns;
    progress.least_calls = i == 0 ? rank->calls : smaller(progress.least_calls, rank->calls);
  }
  return progress;
}
