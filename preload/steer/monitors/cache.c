/* See cache.h. */
#define _GNU_SOURCE
#include "cache.h"

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

static int counter = -1;

static int open_counter(bool with_kernel) {
  struct perf_event_attr wanted = {
      .type = PERF_TYPE_HARDWARE,
      .size = sizeof wanted,
      .config = PERF_COUNT_HW_CACHE_MISSES,
      .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
      .inherit = 1,
      .exclude_kernel = !with_kernel,
      .exclude_hv = 1};
  return (int)syscall(SYS_perf_event_open, &wanted, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/* What the kernel copies for a rank misses, too, but not everybody may count that (perf_event_paranoid). */
bool cw_cache_start(void) {
  if (counter < 0) counter = open_counter(true);
  if (counter < 0) counter = open_counter(false);
  return counter >= 0;
}

/* Where several share the hardware's counters, each counts for a part of the time alone. */
int64_t cw_cache_misses(void) {
  struct {
    uint64_t misses, enabled_ns, running_ns;
  } seen;
  if (counter < 0 || read(counter, &seen, sizeof seen) != sizeof seen) return -1;
  if (seen.running_ns == 0 || seen.running_ns >= seen.enabled_ns) return (int64_t)seen.misses;
  return (int64_t)((double)seen.misses * (double)seen.enabled_ns / (double)seen.running_ns);
}
