/* The calls monitor: what the MPI calls of a process took: compute, wait and transfer time, messages and
 * requests, added up from its start. Each thread adds to its own block; one at a time reads them all. */
#ifndef COREWISE_STEER_MONITORS_CALLS_H
#define COREWISE_STEER_MONITORS_CALLS_H

#include <stdbool.h>

#include "../../pmpi/observer.h"

/* Before the first call of the others. `threaded`: several threads may make calls at the same time. False: no
 * memory. */
bool cw_call_times_start(bool follow_requests, bool threaded);

/* By the thread that made the call, right after it. */
void cw_call_times_add(const struct cw_call* call);

/* The thread spent these ticks outside of the program, before its next call. */
void cw_call_times_leave_out(uint64_t ticks);

#endif
