/* The clock of the profile, in ticks: the time stamp counter if its rate is constant, else CLOCK_MONOTONIC in
 * ns. */
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

/* The rate from the time when the library was loaded until now; more exact with time. */
double cw_ticks_per_s(void);

#endif
