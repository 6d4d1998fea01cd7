/* The irqtime monitor: how long each core worked on interrupts and on what they left for later (softirqs). */
#ifndef COREWISE_STEER_MONITORS_IRQTIME_H
#define COREWISE_STEER_MONITORS_IRQTIME_H

#include <stdbool.h>
#include <stdint.h>

#include "machine.h"
#include "sample.h"

/* Sets `irq_ns` of `cores` to the sum of the columns irq and softirq of lines "cpu0 ...", which are in the
 * kernel's USER_HZ. False: there is no such line. */
bool cw_irqtime_parse(const char* text, const struct cw_steer_machine* machine, struct cw_core_sample* cores);

/* How often the kernel looks what a core is doing, where it does not take the time of every interrupt: it
 * does so where it was built with CONFIG_IRQ_TIME_ACCOUNTING, which it does not tell. */
int64_t cw_irqtime_tick_ns(void);

#endif
