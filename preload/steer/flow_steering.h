/* Advises receive flow steering of the kernel (Linux, Documentation/networking/scaling.rst) if no swap helps
 * because one core processes the packets of all ranks. */
#ifndef COREWISE_STEER_FLOW_STEERING_H
#define COREWISE_STEER_FLOW_STEERING_H

#include "analysis.h"

/* The finding in one window. */
struct cw_flow_steering {
  int64_t core;  /* processes most packets; -1: flow steering would not help */
  int64_t rank;  /* on that core; waits so little that packets slow it down */
  int64_t share; /* of the node's packets, parts per thousand */
  int64_t taken; /* part of the core's time for interrupts or packets, parts per thousand */
};

/* `view` must have its index. */
struct cw_flow_steering cw_flow_steering_find(const struct cw_view* view);

/* The advice as a sentence. */
void cw_flow_steering_because(const struct cw_flow_steering* found, struct cw_buffer* sentence);

#endif
