/* Chooses the clock and measures its rate. */
#include "clock.h"

bool cw_clock_is_tsc = false;
static uint64_t loaded_ns;
static uint64_t loaded_ticks;

/* Intel SDM vol. 3, 18.17.1: CPUID.80000007H:EDX[8] is set if the counter's rate is the same in all power
 * states. */
static bool has_invariant_tsc(void) {
#if defined(__x86_64__)
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(0x80000007u, &a, &b, &c, &d) && (d >> 8 & 1u);
#else
  return false;
#endif
}

__attribute__((constructor)) static void start_clock(void) {
  cw_clock_is_tsc = has_invariant_tsc();
  loaded_ns = cw_monotonic_ns();
  loaded_ticks = cw_ticks();
}

double cw_ticks_per_s(void) {
  const uint64_t ns = cw_monotonic_ns() - loaded_ns;
  const uint64_t ticks = cw_ticks() - loaded_ticks;
  return cw_clock_is_tsc && ns > 0 ? (double)ticks * 1e9 / (double)ns : 1e9;
}
