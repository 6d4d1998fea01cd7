/* See cache.h. */
#define _GNU_SOURCE
#include "cache.h"

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

static int counter = -1;

bool cw_cache_start(void) {
  struct perf_event_attr wanted = {.type = PERF_TYPE_HARDWARE,
                                   .size = sizeof wanted,
                                   .config = PERF_COUNT_HW_CACHE_MISSES,
                                   .inherit = 1,
                                   .exclude_kernel = 1,
                                   .exclude_hv = 1};
  if (counter < 0) counter = (int)syscall(SYS_perf_event_open, &wanted, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
  return counter >= 0;
}

int64_t cw_cache_misses(void) {
  int64_t misses;
  return counter >= 0 && read(counter, &misses, sizeof misses) == sizeof misses ? misses : -1;
}
