/* The schedstat monitor: how long a process was runnable while another thread used its core. */
#ifndef COREWISE_STEER_MONITORS_SCHEDSTAT_H
#define COREWISE_STEER_MONITORS_SCHEDSTAT_H

#include <stdint.h>

/* Total of the process's first thread, ns; -1: unknown. From the second number of /proc/PID/schedstat, which
 * covers only that thread. */
int64_t cw_schedstat_run_delay_ns(int64_t pid);

#endif
