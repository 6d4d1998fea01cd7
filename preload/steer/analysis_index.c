/* See analysis_index.h. */
#include "analysis_index.h"

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
