/* See proc_files.h. */
#define _GNU_SOURCE
#include "proc_files.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "source.h"

/* Reads the file into `text`, which ends with '\0', and cuts what does not fit. False: failed, or empty. */
static bool read_file(const char* path, char* text, size_t size) {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  size_t length = 0;
  ssize_t n = 1;
  while (file >= 0 && n > 0 && length < size - 1) {
    n = read(file, text + length, size - 1 - length);
    if (n > 0) length += (size_t)n;
  }
  if (file >= 0) close(file);
  text[length] = '\0';
  return length > 0;
}

int64_t cw_schedstat_run_delay_ns(int64_t pid) {
  char path[64], text[128];
  long long delay_ns;
  snprintf(path, sizeof path, "/proc/%lld/schedstat", (long long)pid);
  if (!read_file(path, text, sizeof text)) return -1;
  return sscanf(text, "%*d %lld", &delay_ns) == 1 ? delay_ns : -1;
}

static bool start_schedstat(const struct cw_steer_machine* machine, struct cw_steer_settings* settings) {
  (void)machine, (void)settings;
  return cw_schedstat_run_delay_ns(getpid()) >= 0;
}

const struct cw_source cw_source_schedstat = {.start = start_schedstat};

static const char* next_line(const char* line) {
  const char* end = strchr(line, '\n');
  return end ? end + 1 : "";
}

enum { COLUMN_OF_PU = 13, COLUMN_IRQ = 6, COLUMN_SOFTIRQ = 7 };

/* Packets and PU of one line. `number`: the line's index, used if the column for the PU is missing. */
static bool parse_packets(const char* line, int64_t number, int64_t* packets, int64_t* pu) {
  char* end;
  *pu = number;
  for (int column = 1; column <= COLUMN_OF_PU; ++column) {
    const int64_t value = (int64_t)strtoull(line, &end, 16);
    if (end == line) return column > 1;
    if (column == 1) *packets = value;
    if (column == COLUMN_OF_PU) *pu = value;
    line = end + strspn(end, " ");
    if (*line == '\n' || *line == '\0') return true;
  }
  return true;
}

bool cw_softnet_parse(const char* text, const struct cw_steer_machine* machine,
                      struct cw_core_sample* cores) {
  for (int32_t core = 0; core < machine->n_cores; ++core) cores[core].packets = 0;
  int64_t number = 0;
  for (const char* line = text; *line != '\0'; ++number) {
    int64_t packets = 0, pu = 0;
    if (!parse_packets(line, number, &packets, &pu)) return false;
    const int64_t core = cw_steer_core_of_pu(machine, pu);
    if (core >= 0) cores[core].packets += packets;
    line = next_line(line);
  }
  return number > 0;
}

/* PU and time of a line "cpu0 ...". False: another line, for example the sum of all PUs. */
static bool parse_ticks(const char* line, int64_t* pu, int64_t* ticks) {
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
    if (parse_ticks(line, &pu, &ticks)) {
      const int64_t core = cw_steer_core_of_pu(machine, pu);
      if (core >= 0) cores[core].irq_ns += ticks * ns_per_tick;
      any = true;
    }
    line = next_line(line);
  }
  return any;
}

int64_t cw_irqtime_tick_ns(void) {
  struct timespec tick;
  return clock_getres(CLOCK_MONOTONIC_COARSE, &tick) == 0 ? tick.tv_nsec : 0;
}

static char text[1 << 18];

/* The file has totals since boot for the whole node, even in a network namespace. */
static bool read_packets(const struct cw_steer_machine* machine, struct cw_core_sample* cores) {
  return read_file("/proc/net/softnet_stat", text, sizeof text) && cw_softnet_parse(text, machine, cores);
}

static bool read_irqs(const struct cw_steer_machine* machine, struct cw_core_sample* cores) {
  return read_file("/proc/stat", text, sizeof text) && cw_irqtime_parse(text, machine, cores);
}

static struct cw_core_sample tried[CW_STEER_MOST_CORES];

static bool start_softnet(const struct cw_steer_machine* machine, struct cw_steer_settings* settings) {
  (void)settings;
  return read_packets(machine, tried);
}

static bool start_irqtime(const struct cw_steer_machine* machine, struct cw_steer_settings* settings) {
  if (cw_irqtime_tick_ns() > 0) settings->tick_ns = cw_irqtime_tick_ns();
  return read_irqs(machine, tried);
}

const struct cw_source cw_source_softnet = {.start = start_softnet, .read_cores = read_packets};
const struct cw_source cw_source_irqtime = {.start = start_irqtime, .read_cores = read_irqs};
