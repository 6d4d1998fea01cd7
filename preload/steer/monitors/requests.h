/* The requests monitor: requests of this process that are under way: bytes not sent yet, and the age of the
 * oldest. */
#ifndef COREWISE_STEER_MONITORS_REQUESTS_H
#define COREWISE_STEER_MONITORS_REQUESTS_H

#include <stdatomic.h>
#include <stdbool.h>

#include "../../pmpi/observer.h"

/* May several threads make calls at the same time? Where they may not, the processor need not lock its cache
 * for each number. True at first. */
void cw_open_requests_share(bool shared);

/* Operations that a call began and ended. */
void cw_open_requests_add(const struct cw_call* call);

/* Sends that are under way. */
extern _Atomic int64_t cw_open_requests_n_unsent;

static inline bool cw_open_requests_unsent(void) {
  return atomic_load_explicit(&cw_open_requests_n_unsent, memory_order_relaxed) > 0;
}

#endif
