/* From the slots of a node's ranks and the counters of its cores to one snapshot each interval. */
#ifndef COREWISE_STEER_OBSERVATIONS_H
#define COREWISE_STEER_OBSERVATIONS_H

#include "act/journal.h"
#include "decide.h"
#include "live/node_slots.h"
#include "nodes/nodes.h"

/* What was read of a rank the last time. */
struct cw_observed_rank {
  bool known;
  int64_t core;         /* of the machine; -1: its home is not on one core */
  int64_t run_delay_ns; /* in all, when it was last read; 0: not yet */
  int64_t delay_read_ns;
  double delay_rate; /* what it grew by from one reading to the next, over the time between */
  struct cw_slot_content content;
};

struct cw_observations {
  const struct cw_steering* steering;
  struct cw_node_slots* slots;
  const struct cw_journal* journal;
  struct cw_other_nodes* others; /* NULL: nothing is heard of other nodes */
  unsigned needed;               /* bits (1 << cw_monitor_id) */
  int64_t last_ns;               /* CLOCK_MONOTONIC; 0: nothing was read yet */
  int64_t number;
  int next_delay;                                   /* slot whose run delay is read next */
  struct cw_core_sample cores[CW_STEER_MOST_CORES]; /* [core] totals when they were last read */
  struct cw_observed_rank ranks[CW_MOST_SLOTS];
};

/* Monitors that the metrics which are asked need, and that have a confidence. */
unsigned cw_monitors_needed(const struct cw_steering* steering);

/* What happened since the last call, up to `now_ns` (CLOCK_MONOTONIC), on this node and, as far as they told,
 * on others; this node's report begins. Ranks that are not steered, or share a core with another, are left
 * out. False at the first call, which has nothing to compare with, and where of this node no rank is left, or
 * one alone and none of another. */
bool cw_observations_take(struct cw_observations* observations, int64_t now_ns, struct cw_snapshot* snapshot);

/* Slot of a world rank that was seen in the last snapshot; -1: none. */
int cw_observations_slot(const struct cw_observations* observations, int64_t rank);

#endif
