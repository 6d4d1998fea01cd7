/* See cache.h. */
#define _GNU_SOURCE
#include "cache.h"

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "share/own_descriptor.h"
#include "share/slots.h"
#include "source.h"

static int counter = -1;
static uint64_t id; /* the kernel's id of the counter */

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

/* Includes misses in the kernel, which copies data for the rank, unless perf_event_paranoid forbids it. */
bool cw_cache_start(void) {
  if (counter < 0) counter = open_counter(true);
  if (counter < 0) counter = open_counter(false);
  if (counter < 0) return false;
  counter = cw_descriptor_move_up(counter);
  return ioctl(counter, PERF_EVENT_IOC_ID, &id) == 0;
}

/* False if the program has reused the descriptor for another file. */
static bool is_open(void) {
  uint64_t found;
  return counter >= 0 && ioctl(counter, PERF_EVENT_IOC_ID, &found) == 0 && found == id;
}

/* If several users share the hardware counters, each counts only part of the time; the rest is
 * extrapolated. */
int64_t cw_cache_misses(void) {
  struct {
    uint64_t misses, enabled_ns, running_ns;
  } seen;
  if (!is_open() || read(counter, &seen, sizeof seen) != sizeof seen) return -1;
  if (seen.running_ns == 0 || seen.running_ns >= seen.enabled_ns) return (int64_t)seen.misses;
  return (int64_t)((double)seen.misses * (double)seen.enabled_ns / (double)seen.running_ns);
}

static bool start(const struct cw_steer_machine* machine, struct cw_steer_settings* settings) {
  (void)machine, (void)settings;
  return cw_cache_start();
}

static void read_rank(struct cw_slot_content* content) { content->rank.cache_misses = cw_cache_misses(); }

const struct cw_source cw_source_cache = {.start = start, .read_rank = read_rank};
