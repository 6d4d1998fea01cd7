/* The register of monitors, sorted by name. */
#include "registry.h"

/* Confidence: 1000 for what is counted exactly; less for what is sampled, or where one figure stands for
 * several causes (docs/steering.md, "Monitors"). Calls enough are the four of a rank that make a window whole
 * (settings.c): if more were asked for, a program that makes few would have every window discarded. */
const struct cw_monitor_row cw_monitors[CW_N_MONITORS] = {
    {"backlog", "bytes in the send buffers of the rank's sockets, sampled (SIOCOUTQ)", 500, 2, "interval"},
    {"cache", "cache misses of the rank (perf_event), where the hardware counts them", 900, 1000, "miss"},
    {"calls", "compute, wait and transfer time of the rank's blocking MPI calls", 900, 4, "call"},
    {"irqtime", "time of each core in interrupts and softirqs, mostly sampled (/proc/stat)", 800, 3, "tick"},
    {"queues", "messages that the rank did not ask for yet, receives that wait for one (MPI_T)", 600, 2,
     "interval"},
    {"requests", "age of requests, and computing while a send is not complete", 700, 3, "call"},
    {"schedstat", "time that a runnable thread did not get its core (schedstat)", 800, 2, "interval"},
    {"softnet", "packets that the kernel worked on, core by core (/proc/net/softnet_stat)", 800, 100,
     "packet"},
};
