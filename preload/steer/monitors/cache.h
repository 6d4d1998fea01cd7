/* The cache monitor: misses of the last level that this thread and those that it starts have. */
#ifndef COREWISE_STEER_MONITORS_CACHE_H
#define COREWISE_STEER_MONITORS_CACHE_H

#include <stdbool.h>
#include <stdint.h>

/* Begins to count. False: the hardware has no such counter, or the kernel does not let us (perf_event). */
bool cw_cache_start(void);

/* Misses since then; -1 where nothing is counted. */
int64_t cw_cache_misses(void);

#endif
