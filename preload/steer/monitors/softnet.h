/* The softnet monitor: packets that the kernel's protocol code processed on each core. */
#ifndef COREWISE_STEER_MONITORS_SOFTNET_H
#define COREWISE_STEER_MONITORS_SOFTNET_H

#include <stdbool.h>

#include "machine.h"
#include "sample.h"

/* Sets `packets` of `cores` from a text like /proc/net/softnet_stat: one line per PU with hexadecimal
 * columns. Column 1 counts packets; column 13, since Linux 5.10, is the PU's os_index. Without it, lines are
 * in order of the PUs. False: the text has another format. */
bool cw_softnet_parse(const char* text, const struct cw_steer_machine* machine, struct cw_core_sample* cores);

#endif
