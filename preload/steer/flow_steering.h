/* Receive flow steering: the kernel's own means (Linux, Documentation/networking/scaling.rst) where no swap
 * helps, because one core works on the packets of all. */
#ifndef COREWISE_STEER_FLOW_STEERING_H
#define COREWISE_STEER_FLOW_STEERING_H

#include "analysis_index.h"

/* Of a window. */
struct cw_flow_steering {
  int64_t core;  /* that works on most packets; -1: the kernel's means would not help */
  int64_t rank;  /* on it, which waits too little to share it */
  int64_t share; /* of the node's packets, parts per thousand */
  int64_t taken; /* of the core's time, by interrupts or packets, parts per thousand */
};

/* `view` has its index. */
struct cw_flow_steering cw_flow_steering_find(const struct cw_view* view);

/* The advice as a sentence. */
void cw_flow_steering_because(const struct cw_flow_steering* found, struct cw_buffer* sentence);

#endif
