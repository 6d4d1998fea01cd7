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

static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

/* `part` of `whole` in parts per thousand, at most `most`. In doubles, which can't overflow here; each
 * operation is rounded in the same way on all machines. */
static int64_t share(double part, double whole, int64_t most) {
  const double found = whole > 0 ? 1000.0 * part / whole : 0;
  return found >= (double)most ? most : (int64_t)found;
}

static void take_from(int64_t* left, int64_t taken) { *left = larger(*left - taken, 0); }

/* Integer square root of a number up to 1000 * 1000. */
static int64_t whole_root(int64_t square) {
  int64_t root = 0;
  for (int64_t bit = 512; bit > 0; bit /= 2) {
    if ((root + bit) * (root + bit) <= square) root += bit;
  }
  return root;
}

/* Error of a measured share of interrupts, in parts per thousand: two standard deviations. One part is from
 * sampling once per tick (binomial distribution), the other from the rounding of times in /proc/stat. */
static int64_t sampling_error(int64_t found, int64_t tick_ns, int64_t length_ns) {
  enum { ROUNDED_NS = 10000000 /* 1 / USER_HZ; a difference has a standard deviation of 0.41 of this */ };
  const double ticks = (double)length_ns / (double)tick_ns;
  const double rounded = 410.0 * ROUNDED_NS / (double)length_ns;
  const double variance = (double)(found * (1000 - found)) / (ticks > 1 ? ticks : 1) + rounded * rounded;
  const int64_t error = 2 * whole_root(variance < 1e6 ? (int64_t)variance : 1000000);
  return error < 1000 ? error : 1000;
}

/* Subtracts time in interrupts and softirqs, which includes packet processing. */
static void take_irqtime(const struct cw_view* view, struct cw_analysis_index* index) {
  const struct cw_snapshot* sum = &view->analysis->sum;
  for (int32_t i = 0; i < sum->n_cores; ++i) {
    const int64_t core = sum->cores[i].core;
    const int64_t taken = share((double)sum->cores[i].irq_ns, (double)sum->length_ns, 1000);
    const int64_t error = sampling_error(taken, view->settings->tick_ns, sum->length_ns);
    take_from(&index->most_capability[core], larger(taken - error, 0));
    take_from(&index->capability[core], taken);
    take_from(&index->least_capability[core], taken + error);
  }
}

/* Subtracts time for packets if only their number is known: the time for a packet is between two settings. */
static void take_packets(const struct cw_view* view, struct cw_analysis_index* index) {
  const struct cw_snapshot* sum = &view->analysis->sum;
  const struct cw_steer_settings* settings = view->settings;
  for (int32_t i = 0; i < sum->n_cores; ++i) {
    const int64_t core = sum->cores[i].core;
    const double packets = (double)sum->cores[i].packets, whole = (double)sum->length_ns;
    const int64_t cheap = share(packets * (double)settings->packet_ns, whole, settings->packet_most_share);
    const int64_t dear =
        share(packets * (double)settings->packet_most_ns, whole, settings->packet_most_share);
    take_from(&index->most_capability[core], cheap);
    take_from(&index->capability[core], cheap);
    take_from(&index->least_capability[core], dear);
  }
}

/* Subtracts time of other threads: the core's only rank was runnable and did not run. */
static void take_delays(const struct cw_view* view, struct cw_analysis_index* index) {
  const struct cw_snapshot* sum = &view->analysis->sum;
  for (int32_t core = 0; core < view->machine->n_cores; ++core) {
    const int32_t rank = index->rank_on[core];
    if (rank < 0) continue;
    const int64_t taken = share((double)sum->ranks[rank].run_delay_ns, (double)sum->length_ns, 1000);
    take_from(&index->most_capability[core], taken);
    take_from(&index->capability[core], taken);
    take_from(&index->least_capability[core], taken * view->settings->delay_most_factor / 1000);
  }
}

static void find_ranks(const struct cw_view* view, struct cw_analysis_index* index) {
  enum { NONE = -1, SEVERAL = -2 };
  const struct cw_snapshot* sum = &view->analysis->sum;
  for (int32_t core = 0; core < view->machine->n_cores; ++core) index->rank_on[core] = NONE;
  for (int32_t i = 0; i < sum->n_ranks; ++i) {
    int32_t* rank = &index->rank_on[sum->ranks[i].core];
    *rank = *rank == NONE ? i : SEVERAL;
  }
  for (int32_t core = 0; core < view->machine->n_cores; ++core) {
    if (index->rank_on[core] == SEVERAL) index->rank_on[core] = NONE;
  }
}

static void find_capabilities(const struct cw_view* view, struct cw_analysis_index* index) {
  const int32_t n = view->machine->n_cores;
  for (int32_t core = 0; core < n; ++core)
    index->most_capability[core] = index->capability[core] = index->least_capability[core] = 1000;
  if (cw_analysis_accepts(view, CW_MONITOR_IRQTIME, -1)) {
    take_irqtime(view, index);
  } else if (cw_analysis_accepts(view, CW_MONITOR_SOFTNET, -1)) {
    take_packets(view, index);
  }
  if (cw_analysis_accepts(view, CW_MONITOR_SCHEDSTAT, -1)) take_delays(view, index);
  for (int32_t core = 0; core < n; ++core) {
    const int64_t whole = view->machine->cores[core].capability;
    index->most_capability[core] = larger(whole * index->most_capability[core] / 1000, 1);
    index->capability[core] = larger(whole * index->capability[core] / 1000, 1);
    index->least_capability[core] = larger(whole * index->least_capability[core] / 1000, 1);
  }
}

static void find_remote_bytes(const struct cw_view* view, struct cw_analysis_index* index) {
  const struct cw_snapshot* sum = &view->analysis->sum;
  for (int32_t i = 0; i < sum->n_ranks; ++i) index->remote_bytes[i] = 0;
  for (int32_t i = 0; i < sum->n_peers; ++i) {
    const int32_t from = cw_analysis_find(view->analysis, sum->peers[i].rank);
    if (from < 0 || cw_analysis_find(view->analysis, sum->peers[i].peer) >= 0) continue;
    index->remote_bytes[from] += sum->peers[i].bytes;
  }
}

void cw_view_index(struct cw_view* view, struct cw_analysis_index* index) {
  find_ranks(view, index);
  find_capabilities(view, index);
  find_remote_bytes(view, index);
  view->index = index;
}

int32_t cw_analysis_on_core(const struct cw_view* view, int64_t core) { return view->index->rank_on[core]; }

int64_t cw_analysis_most_capability(const struct cw_view* view, int64_t core) {
  return view->index->most_capability[core];
}

int64_t cw_analysis_capability(const struct cw_view* view, int64_t core) {
  return view->index->capability[core];
}

int64_t cw_analysis_least_capability(const struct cw_view* view, int64_t core) {
  return view->index->least_capability[core];
}

int64_t cw_analysis_remote_bytes(const struct cw_view* view, int32_t rank) {
  return view->index->remote_bytes[rank];
}
