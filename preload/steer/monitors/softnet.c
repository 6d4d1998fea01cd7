/* See softnet.h. The file has totals since boot for the whole node, even in a network namespace. */
#include "softnet.h"

#include <stdlib.h>
#include <string.h>

#include "small_file.h"
#include "source.h"

enum { COLUMN_OF_PU = 13, TEXT_BYTES = 1 << 18 };

/* Packets and PU of one line. `number`: the line's index, used if the column for the PU is missing. */
static bool parse_line(const char* line, int64_t number, int64_t* packets, int64_t* pu) {
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
    if (!parse_line(line, number, &packets, &pu)) return false;
    const int64_t core = cw_steer_core_of_pu(machine, pu);
    if (core >= 0) cores[core].packets += packets;
    const char* end = strchr(line, '\n');
    line = end ? end + 1 : "";
  }
  return number > 0;
}

static bool read_cores(const struct cw_steer_machine* machine, struct cw_core_sample* cores) {
  static char text[TEXT_BYTES];
  return cw_small_file_read("/proc/net/softnet_stat", text, sizeof text) > 0 &&
         cw_softnet_parse(text, machine, cores);
}

static bool start(const struct cw_steer_machine* machine, struct cw_steer_settings* settings) {
  static struct cw_core_sample cores[CW_STEER_MOST_CORES];
  (void)settings;
  return read_cores(machine, cores);
}

const struct cw_source cw_source_softnet = {.start = start, .read_cores = read_cores};
