/* A sequence of all places, of which each duty gets a contiguous range. */
#ifndef CW_AFFINITY_SEQUENCE_H
#define CW_AFFINITY_SEQUENCE_H

#include "plan.h"

struct cw_range {
  size_t first, n;
};

/* The range of each duty in a sequence; the index is an enum cw_duty. */
struct cw_shares {
  struct cw_range of[3];
};

/* Fills `sequence` with all places (indices into machine->places), sorted by distance from `start`: a deeper
 * common ancestor is nearer. Equally near places follow in tree order from `start`, cyclically. As a result,
 * the places of each tree object that contains `start` come before all others. */
void cw_order_by_nearness(const struct cw_machine* machine, size_t start, size_t* sequence);

/* Fills every thread's cpuset, in the order of the plan's policy. Returns false if memory ran out. */
bool cw_bind_in_order(struct cw_thread_plan* plan);

#endif
