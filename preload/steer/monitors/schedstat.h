/* The schedstat monitor: how long a process was runnable and did not get its core. */
#ifndef COREWISE_STEER_MONITORS_SCHEDSTAT_H
#define COREWISE_STEER_MONITORS_SCHEDSTAT_H

#include <stdint.h>

/* Since the first thread of the process began, ns; -1 where the kernel does not say. Second number of
 * /proc/PID/schedstat, which is that thread's. */
int64_t cw_schedstat_run_delay_ns(int64_t pid);

#endif
