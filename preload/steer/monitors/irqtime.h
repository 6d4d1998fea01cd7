/* The irqtime monitor: time of each core in interrupts and softirqs. */
#ifndef COREWISE_STEER_MONITORS_IRQTIME_H
#define COREWISE_STEER_MONITORS_IRQTIME_H

#include <stdbool.h>
#include <stdint.h>

#include "machine.h"
#include "sample.h"

/* Sets `irq_ns` of `cores` from a text like /proc/stat: the columns irq and softirq of lines "cpu0 ...", in
 * units of 1 / USER_HZ. False: there is no such line. */
bool cw_irqtime_parse(const char* text, const struct cw_steer_machine* machine, struct cw_core_sample* cores);

/* Sampling period of the kernel's irq times, ns; 0: unknown. A kernel with CONFIG_IRQ_TIME_ACCOUNTING
 * measures every interrupt instead, but does not say so. */
int64_t cw_irqtime_tick_ns(void);

#endif
