/* See interrupts.h. */
#include "interrupts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "small_file.h"

enum { TEXT_BYTES = 1 << 20, MOST_COLUMNS = 8 * CW_STEER_MOST_CORES };

/* [column] -> core; -1 for a PU that the machine does not have. */
struct columns {
  int n;
  int32_t core[MOST_COLUMNS];
};

static const char* next_line(const char* line) {
  const char* end = strchr(line, '\n');
  return end ? end + 1 : "";
}

static bool read_head(const char* line, const struct cw_steer_machine* machine, struct columns* columns) {
  columns->n = 0;
  for (line += strspn(line, " "); strncmp(line, "CPU", 3) == 0 && columns->n < MOST_COLUMNS;
       line += strspn(line, " ")) {
    char* end;
    const int64_t pu = strtoll(line + 3, &end, 10);
    columns->core[columns->n++] = (int32_t)cw_steer_core_of_pu(machine, pu);
    line = end;
  }
  return columns->n > 0;
}

static void add_line(const char* line, const struct columns* columns, struct cw_interrupts* interrupts) {
  line += strspn(line, " ");
  const size_t digits = strspn(line, "0123456789");
  if (digits == 0 || line[digits] != ':') return;
  line += digits + 1;
  for (int column = 0; column < columns->n; ++column) {
    char* end;
    line += strspn(line, " ");
    if (!isdigit((unsigned char)*line)) return;
    const int64_t count = strtoll(line, &end, 10);
    if (columns->core[column] >= 0) interrupts->count[columns->core[column]] += count;
    line = end;
  }
}

bool cw_interrupts_parse(const char* text, const struct cw_steer_machine* machine,
                         struct cw_interrupts* interrupts) {
  static struct columns columns;
  memset(interrupts, 0, sizeof *interrupts);
  if (!read_head(text, machine, &columns)) return false;
  for (const char* line = next_line(text); *line != '\0'; line = next_line(line))
    add_line(line, &columns, interrupts);
  return true;
}

bool cw_interrupts_read(const struct cw_steer_machine* machine, struct cw_interrupts* interrupts) {
  static char text[TEXT_BYTES];
  return cw_small_file_read("/proc/interrupts", text, sizeof text) > 0 &&
         cw_interrupts_parse(text, machine, interrupts);
}
