/* The irqtime monitor: how long each core worked on interrupts and on what they left for later (softirqs). */
#ifndef COREWISE_STEER_MONITORS_IRQTIME_H
#define COREWISE_STEER_MONITORS_IRQTIME_H

#include <stdbool.h>
#include <stdint.h>

#include "machine.h"

/* Totals of /proc/stat at the last reading. */
struct cw_irqtime {
  int64_t time_ns[CW_STEER_MOST_CORES]; /* [core] */
};

/* Adds up the columns irq and softirq of lines "cpu0 ...", in the kernel's USER_HZ. False: there is no such
 * line. */
bool cw_irqtime_parse(const char* text, const struct cw_steer_machine* machine, struct cw_irqtime* irqtime);

/* Reads the file. False: it can't be read. */
bool cw_irqtime_read(const struct cw_steer_machine* machine, struct cw_irqtime* irqtime);

/* How often the kernel looks what a core is doing, where it does not take the time of every interrupt: it
 * does so where it was built with CONFIG_IRQ_TIME_ACCOUNTING, which it does not tell. */
int64_t cw_irqtime_tick_ns(void);

#endif
