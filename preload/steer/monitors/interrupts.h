/* The interrupts monitor: interrupts of devices, core by core. */
#ifndef COREWISE_STEER_MONITORS_INTERRUPTS_H
#define COREWISE_STEER_MONITORS_INTERRUPTS_H

#include <stdbool.h>
#include <stdint.h>

#include "machine.h"

/* Totals of /proc/interrupts at the last reading. */
struct cw_interrupts {
  int64_t count[CW_STEER_MOST_CORES]; /* [core] */
};

/* Adds up a text like that file's: a head line that names the PUs (CPU0 CPU2 ...), then lines NUMBER: with a
 * count for each of them; lines with a word in place of the number are the processors' own interrupts, timers
 * among them, and are left out. False: it is no such text. */
bool cw_interrupts_parse(const char* text, const struct cw_steer_machine* machine,
                         struct cw_interrupts* interrupts);

/* Reads the file. False: it can't be read. */
bool cw_interrupts_read(const struct cw_steer_machine* machine, struct cw_interrupts* interrupts);

#endif
