/* Ticks: the processor's time stamp counter where its rate is constant, else nanoseconds of CLOCK_MONOTONIC.
 */
#ifndef COREWISE_STORE_CLOCK_H
#define COREWISE_STORE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#if defined(__x86_64__)
#include <cpuid.h>
#include <x86intrin.h>
#endif

extern bool cw_clock_is_tsc; /* set before main */

static inline uint64_t cw_monotonic_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Since 1970. */
static inline int64_t cw_unix_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static inline uint64_t cw_ticks(void) {
#if defined(__x86_64__)
  if (cw_clock_is_tsc) return __rdtsc();
#endif
  return cw_monotonic_ns();
}

/* Measured from the loading of the library to now: the longer the better. */
double cw_ticks_per_s(void);

#endif
