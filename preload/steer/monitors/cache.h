/* The cache monitor: last-level cache misses of this thread and of threads that it starts. */
#ifndef COREWISE_STEER_MONITORS_CACHE_H
#define COREWISE_STEER_MONITORS_CACHE_H

#include <stdbool.h>
#include <stdint.h>

/* Starts counting. False: the hardware has no such counter, or the kernel forbids it (perf_event). */
bool cw_cache_start(void);

/* Misses since cw_cache_start(); -1: not counted. */
int64_t cw_cache_misses(void);

#endif
