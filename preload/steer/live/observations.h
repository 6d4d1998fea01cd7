/* Makes one snapshot per interval from the slots of a node's ranks and the counters of its cores. */
#ifndef COREWISE_STEER_OBSERVATIONS_H
#define COREWISE_STEER_OBSERVATIONS_H

#include "act/journal.h"
#include "decide.h"
#include "live/node_slots.h"

/* A rank at the time of the last reading. */
struct cw_observed_rank {
  bool known;
  int64_t core;         /* logical index; -1: its home is not a single core */
  int64_t run_delay_ns; /* total; 0: not read yet */
  int64_t delay_read_ns;
  double delay_rate; /* growth of the total between the last two readings, per time */
  struct cw_slot_content content;
};

struct cw_observations {
  const struct cw_steering* steering;
  struct cw_node_slots* slots;
  const struct cw_journal* journal;
  unsigned needed; /* monitors as bits (1 << cw_monitor_id) */
  int64_t last_ns; /* CLOCK_MONOTONIC of the last reading; 0: none */
  int64_t number;
  int next_delay;                                   /* slot whose run delay is read next */
  struct cw_core_sample cores[CW_STEER_MOST_CORES]; /* [core] totals at the last reading */
  struct cw_observed_rank ranks[CW_MOST_SLOTS];
};

/* The monitors with a confidence above 0 that an active metric needs. */
unsigned cw_monitors_needed(const struct cw_steering* steering);

/* Sets the snapshot of the time from the last call to `now_ns` (CLOCK_MONOTONIC). Leaves out ranks that are
 * not steered or share a core. False: it is the first call, or fewer than two ranks are left. */
bool cw_observations_take(struct cw_observations* observations, int64_t now_ns, struct cw_snapshot* snapshot);

/* Slot of a world rank that the last snapshot contains; -1: none. */
int cw_observations_slot(const struct cw_observations* observations, int64_t rank);

#endif
