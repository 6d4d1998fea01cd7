/* See softnet.h. The file counts since boot and for the whole node, whatever network namespace reads it. */
#include "softnet.h"

#include <stdlib.h>
#include <string.h>

#include "small_file.h"

enum { COLUMN_OF_PU = 13, TEXT_BYTES = 1 << 18 };

/* Packets and PU of one line; the line's number stands for the PU where there is no such column. */
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

bool cw_softnet_parse(const char* text, const struct cw_steer_machine* machine, struct cw_softnet* softnet) {
  memset(softnet, 0, sizeof *softnet);
  int64_t number = 0;
  for (const char* line = text; *line != '\0'; ++number) {
    int64_t packets = 0, pu = 0;
    if (!parse_line(line, number, &packets, &pu)) return false;
    const int64_t core = cw_steer_core_of_pu(machine, pu);
    if (core >= 0) softnet->packets[core] += packets;
    const char* end = strchr(line, '\n');
    line = end ? end + 1 : "";
  }
  return number > 0;
}

bool cw_softnet_read(const struct cw_steer_machine* machine, struct cw_softnet* softnet) {
  static char text[TEXT_BYTES];
  return cw_small_file_read("/proc/net/softnet_stat", text, sizeof text) > 0 &&
         cw_softnet_parse(text, machine, softnet);
}
