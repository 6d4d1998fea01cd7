/* Places in an order, and the threads of each duty on their part of it. */
#ifndef CW_AFFINITY_SEQUENCE_H
#define CW_AFFINITY_SEQUENCE_H

#include "plan.h"

/* A contiguous part of a sequence of places. */
struct cw_range {
  size_t first, n;
};

/* Which part of a sequence each duty gets, by enum cw_duty. */
struct cw_shares {
  struct cw_range of[3];
};

/* Fills `sequence` with all places (positions in machine->places), nearest `start` first: those with the
 * deepest common ancestor, then in tree order from the start onwards and round. So each object of the tree is
 * one range of the sequence, and of objects as near the next one comes first. */
void cw_order_by_nearness(const struct cw_machine* machine, size_t start, size_t* sequence);

/* Gives every thread its place in the order of the plan's policy; false when memory ran out. */
bool cw_bind_in_order(struct cw_thread_plan* plan);

#endif
