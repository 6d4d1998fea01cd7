/* See irqtime.h. */
#define _GNU_SOURCE
#include "irqtime.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "small_file.h"
#include "source.h"

enum { COLUMN_IRQ = 6, COLUMN_SOFTIRQ = 7, TEXT_BYTES = 1 << 18 };

/* PU and time of a line "cpu0 ...". False: another line, for example the sum of all PUs. */
static bool parse_line(const char* line, int64_t* pu, int64_t* ticks) {
  char* end;
  if (strncmp(line, "cpu", 3) != 0 || line[3] < '0' || line[3] > '9') return false;
  *pu = strtoll(line + 3, &end, 10);
  *ticks = 0;
  for (int column = 1; column <= COLUMN_SOFTIRQ; ++column) {
    const char* begin = end;
    const int64_t value = strtoll(begin, &end, 10);
    if (end == begin) return false;
    if (column == COLUMN_IRQ || column == COLUMN_SOFTIRQ) *ticks += value;
  }
  return true;
}

bool cw_irqtime_parse(const char* text, const struct cw_steer_machine* machine,
                      struct cw_core_sample* cores) {
  const int64_t ns_per_tick = 1000000000 / sysconf(_SC_CLK_TCK);
  for (int32_t core = 0; core < machine->n_cores; ++core) cores[core].irq_ns = 0;
  bool any = false;
  /* The lines "cpu..." are the first ones. */
  for (const char* line = text; strncmp(line, "cpu", 3) == 0;) {
    int64_t pu, ticks;
    if (parse_line(line, &pu, &ticks)) {
      const int64_t core = cw_steer_core_of_pu(machine, pu);
      if (core >= 0) cores[core].irq_ns += ticks * ns_per_tick;
      any = true;
    }
    const char* end = strchr(line, '\n');
    line = end ? end + 1 : "";
  }
  return any;
}

static bool read_cores(const struct cw_steer_machine* machine, struct cw_core_sample* cores) {
  static char text[TEXT_BYTES];
  return cw_small_file_read("/proc/stat", text, sizeof text) > 0 && cw_irqtime_parse(text, machine, cores);
}

int64_t cw_irqtime_tick_ns(void) {
  struct timespec tick;
  return clock_getres(CLOCK_MONOTONIC_COARSE, &tick) == 0 ? tick.tv_nsec : 0;
}

static bool start(const struct cw_steer_machine* machine, struct cw_steer_settings* settings) {
  static struct cw_core_sample cores[CW_STEER_MOST_CORES];
  if (cw_irqtime_tick_ns() > 0) settings->tick_ns = cw_irqtime_tick_ns();
  return read_cores(machine, cores);
}

const struct cw_source cw_source_irqtime = {.start = start, .read_cores = read_cores};
