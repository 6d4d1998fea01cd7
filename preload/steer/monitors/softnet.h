/* The softnet monitor: packets that the kernel's protocol code worked on, PU by PU. */
#ifndef COREWISE_STEER_MONITORS_SOFTNET_H
#define COREWISE_STEER_MONITORS_SOFTNET_H

#include <stdbool.h>

#include "machine.h"
#include "sample.h"

/* Sets `packets` of `cores` by a text like /proc/net/softnet_stat: a line a PU, hexadecimal columns, the
 * first of which counts packets and the 13th, since Linux 5.10, is the PU's os_index; without it lines stand
 * in order of the PUs. False: it is no such text. */
bool cw_softnet_parse(const char* text, const struct cw_steer_machine* machine, struct cw_core_sample* cores);

#endif
