/* The requests monitor: unsent bytes and the age of the oldest request, over all requests of this process. */
#ifndef COREWISE_STEER_MONITORS_REQUESTS_H
#define COREWISE_STEER_MONITORS_REQUESTS_H

#include <stdatomic.h>
#include <stdbool.h>

#include "../../pmpi/observer.h"

/* Can several threads be in MPI at the same time? If not, counters need no atomic read-modify-write
 * operations, which are slower. Initially true. */
void cw_open_requests_share(bool shared);

/* Adds the operations that a call started and completed. */
void cw_open_requests_add(const struct cw_call* call);

/* Number of incomplete sends. */
extern _Atomic int64_t cw_open_requests_n_unsent;

static inline bool cw_open_requests_unsent(void) {
  return atomic_load_explicit(&cw_open_requests_n_unsent, memory_order_relaxed) > 0;
}

#endif
