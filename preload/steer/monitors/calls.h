/* The calls monitor: totals of compute, wait and transfer time, messages and requests since the start of the
 * process. Each thread adds to its own block; one thread at a time reads all blocks. */
#ifndef COREWISE_STEER_MONITORS_CALLS_H
#define COREWISE_STEER_MONITORS_CALLS_H

#include <stdbool.h>

#include "../../pmpi/observer.h"

/* Called before the other functions. `threaded`: several threads may be in MPI at once. False: out of
 * memory. */
bool cw_call_times_start(bool follow_requests, bool threaded);

/* Called right after a call, on its thread. */
void cw_call_times_add(const struct cw_call* call);

/* Excludes ticks that steering itself took, before the thread's next call. */
void cw_call_times_leave_out(uint64_t ticks);

#endif
