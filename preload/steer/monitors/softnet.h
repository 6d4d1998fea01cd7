/* The softnet monitor: packets that the kernel's protocol code worked on, PU by PU. */
#ifndef COREWISE_STEER_MONITORS_SOFTNET_H
#define COREWISE_STEER_MONITORS_SOFTNET_H

#include <stdbool.h>
#include <stdint.h>

#include "machine.h"

/* Totals of /proc/net/softnet_stat at the last reading. */
struct cw_softnet {
  int64_t packets[CW_STEER_MOST_CORES]; /* [core] */
};

/* Adds up a text like that file's: a line a PU, hexadecimal columns, the first of which counts packets and
 * the 13th, since Linux 5.10, is the PU's os_index; without it lines stand in order of the PUs. False: it is
 * no such text. */
bool cw_softnet_parse(const char* text, const struct cw_steer_machine* machine, struct cw_softnet* softnet);

/* Reads the file. False: it can't be read. */
bool cw_softnet_read(const struct cw_steer_machine* machine, struct cw_softnet* softnet);

#endif
