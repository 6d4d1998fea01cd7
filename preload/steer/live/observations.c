/* See observations.h. Only the rank that leads a node reads /proc. */
#include "observations.h"

#include <stdlib.h>
#include <string.h>

#include "monitors/proc_files.h"
#include "monitors/source.h"

enum { MOST_DELAYS = 32 /* processes whose run delay is read in one interval */ };

unsigned cw_monitors_needed(const struct cw_steering* steering) {
  unsigned needed = 0;
  for (int i = 0; i < CW_N_METRICS; ++i) {
    if (steering->priority[i] > 0) needed |= cw_metrics[i].needs;
  }
  for (int i = 0; i < CW_N_MONITORS; ++i) {
    if (steering->confidences.of[i] == 0) needed &= ~(1u << i);
  }
  return needed;
}

static bool is_on(const struct cw_observations* observations, enum cw_monitor_id monitor) {
  return (observations->needed >> monitor & 1) != 0;
}

/* The core that contains all PUs of a mask; -1: none. */
static int64_t core_of(const struct cw_steer_machine* machine, const struct cw_pu_mask* mask) {
  const int64_t core = cw_steer_core_of_pu(machine, cw_mask_first(mask));
  if (core < 0) return -1;
  struct cw_pu_mask of_core = {{0}};
  const struct cw_list* pus = &machine->cores[core].pus;
  for (int32_t i = 0; i < pus->n; ++i) {
    if (pus->at[i] < CW_MASK_PUS) of_core.word[pus->at[i] / 64] |= UINT64_C(1) << pus->at[i] % 64;
  }
  return cw_mask_within(mask, &of_core) ? core : -1;
}

static void add_peers(struct cw_snapshot* snapshot, const struct cw_slot_content* now,
                      const struct cw_slot_content* before) {
  for (int64_t i = 0; i < now->n_peers && i < CW_STEER_MOST_PEERS; ++i) {
    struct cw_peer_sample peer = now->peers[i];
    bool known = before->n_peers < CW_STEER_MOST_PEERS;
    for (int64_t j = 0; j < before->n_peers && j < CW_STEER_MOST_PEERS; ++j) {
      if (before->peers[j].peer != peer.peer) continue;
      peer.bytes = cw_grown(peer.bytes, before->peers[j].bytes);
      known = true;
    }
    if (known && peer.bytes > 0) snapshot->peers[snapshot->n_peers++] = peer;
  }
}

/* Reads one slot, and adds its growth as a sample if the slot was read before. */
static void take_rank(struct cw_observations* observations, int slot, int64_t length_ns,
                      struct cw_snapshot* snapshot) {
  struct cw_observed_rank* rank = &observations->ranks[slot];
  struct cw_slot_content now = rank->content; /* the last content, if the slot can't be read now */
  const bool found = cw_slot_read(&observations->slots->slots[slot], &now) || rank->known;
  if (!found || !cw_journal_is_steered(observations->journal, slot)) {
    rank->known = false;
    return;
  }
  const struct cw_pu_mask home = cw_journal_home(observations->journal, slot);
  rank->core = core_of(&observations->steering->machine, &home);
  if (rank->known && rank->core >= 0 && snapshot->n_ranks < CW_STEER_MOST_RANKS) {
    struct cw_rank_sample sample = cw_rank_sample_growth(&now.rank, &rank->content.rank);
    sample.core = rank->core;
    sample.run_delay_ns = (int64_t)(rank->delay_rate * (double)length_ns);
    snapshot->ranks[snapshot->n_ranks++] = sample;
    add_peers(snapshot, &now, &rank->content);
  }
  rank->content = now;
  rank->known = true;
}

static int by_id(const void* a, const void* b) {
  const int64_t left = ((const struct cw_rank_sample*)a)->id, right = ((const struct cw_rank_sample*)b)->id;
  return (left > right) - (left < right);
}

/* Ranks that share a core are ignored: a swap exchanges cores that have one rank each. */
static void leave_out_sharing(struct cw_snapshot* snapshot) {
  uint16_t n_on[CW_STEER_MOST_CORES] = {0};
  for (int32_t i = 0; i < snapshot->n_ranks; ++i) ++n_on[snapshot->ranks[i].core];
  int32_t n = 0;
  for (int32_t i = 0; i < snapshot->n_ranks; ++i) {
    if (n_on[snapshot->ranks[i].core] == 1) snapshot->ranks[n++] = snapshot->ranks[i];
  }
  snapshot->n_ranks = n;
}

/* With many ranks, reads only some in each interval. Between readings, a rank's delay is assumed to grow as
 * it did between the last two. */
static void read_run_delays(struct cw_observations* observations, int64_t now_ns) {
  const int n = cw_node_slots_taken(observations->slots);
  for (int i = 0; i < n && i < MOST_DELAYS; ++i) {
    const int slot = observations->next_delay % n;
    observations->next_delay = slot + 1;
    struct cw_observed_rank* rank = &observations->ranks[slot];
    if (!cw_journal_is_steered(observations->journal, slot)) continue;
    const int64_t delay_ns = cw_schedstat_run_delay_ns(cw_journal_process(observations->journal, slot).pid);
    const bool has_both = rank->run_delay_ns > 0 && delay_ns >= 0 && now_ns > rank->delay_read_ns;
    const double grown = has_both ? (double)cw_grown(delay_ns, rank->run_delay_ns) : 0;
    rank->delay_rate = has_both ? grown / (double)(now_ns - rank->delay_read_ns) : 0;
    rank->run_delay_ns = delay_ns;
    rank->delay_read_ns = now_ns;
  }
}

/* Adds a sample for each core, unless this is the first reading. */
static void take_cores(struct cw_observations* observations, bool first, struct cw_snapshot* snapshot) {
  static struct cw_core_sample now[CW_STEER_MOST_CORES];
  const struct cw_steer_machine* machine = &observations->steering->machine;
  unsigned counted = 0; /* bits (1 << cw_monitor_id) */
  for (int i = 0; i < CW_N_MONITORS; ++i) {
    const bool is_read = is_on(observations, i) && cw_sources[i]->read_cores != NULL;
    if (is_read && cw_sources[i]->read_cores(machine, now)) counted |= 1u << i;
  }
  for (int32_t core = 0; core < machine->n_cores && counted != 0; ++core) {
    now[core].core = core;
    const struct cw_core_sample sample =
        cw_core_sample_growth(&now[core], &observations->cores[core], counted);
    if (!first) snapshot->cores[snapshot->n_cores++] = sample;
  }
}

bool cw_observations_take(struct cw_observations* observations, int64_t now_ns,
                          struct cw_snapshot* snapshot) {
  const bool first = observations->last_ns == 0;
  cw_snapshot_clear(snapshot);
  if (is_on(observations, CW_MONITOR_SCHEDSTAT)) read_run_delays(observations, now_ns);
  for (int slot = 0; slot < cw_node_slots_taken(observations->slots); ++slot)
    take_rank(observations, slot, now_ns - observations->last_ns, snapshot);
  leave_out_sharing(snapshot);
  take_cores(observations, first, snapshot);
  snapshot->time_ns = now_ns - atomic_load(&observations->slots->start_ns);
  snapshot->length_ns = now_ns - observations->last_ns;
  observations->last_ns = now_ns;
  qsort(snapshot->ranks, (size_t)snapshot->n_ranks, sizeof *snapshot->ranks, by_id);
  if (first || snapshot->n_ranks < 2) return false;
  snapshot->number = ++observations->number;
  cw_snapshot_limit(snapshot);
  return true;
}

int cw_observations_slot(const struct cw_observations* observations, int64_t rank) {
  for (int slot = 0; slot < cw_node_slots_taken(observations->slots); ++slot) {
    const struct cw_observed_rank* observed = &observations->ranks[slot];
    if (observed->known && observed->content.rank.id == rank) return slot;
  }
  return -1;
}
