/* Monitors that read files of /proc: schedstat, softnet and irqtime. */
#ifndef COREWISE_STEER_MONITORS_PROC_FILES_H
#define COREWISE_STEER_MONITORS_PROC_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "machine.h"
#include "sample.h"

/* How long the process's first thread was runnable while another thread used its core: its total, ns; -1:
 * unknown. From the second number of /proc/PID/schedstat, which covers only that thread. */
int64_t cw_schedstat_run_delay_ns(int64_t pid);

/* Sets `packets` of `cores`, which the kernel's protocol code processed there, from a text like
 * /proc/net/softnet_stat: one line per PU with hexadecimal columns. Column 1 counts packets; column 13, since
 * Linux 5.10, is the PU's os_index. Without it, lines are in order of the PUs. False: the text has another
 * format. */
bool cw_softnet_parse(const char* text, const struct cw_steer_machine* machine, struct cw_core_sample* cores);

/* Sets `irq_ns` of `cores`, the time in interrupts and softirqs, from a text like /proc/stat: the columns irq
 * and softirq of lines "cpu0 ...", in units of 1 / USER_HZ. False: there is no such line. */
bool cw_irqtime_parse(const char* text, const struct cw_steer_machine* machine, struct cw_core_sample* cores);

/* Sampling period of the kernel's irq times, ns; 0: unknown. A kernel with CONFIG_IRQ_TIME_ACCOUNTING
 * measures every interrupt instead, but does not say so. */
int64_t cw_irqtime_tick_ns(void);

#endif
