/* The register of monitors: what can be seen of a job, and how far each may be trusted. */
#ifndef COREWISE_STEER_MONITORS_REGISTRY_H
#define COREWISE_STEER_MONITORS_REGISTRY_H

#include <stdint.h>

/* In the order of the register. */
enum cw_monitor_id {
  CW_MONITOR_BACKLOG,
  CW_MONITOR_CACHE,
  CW_MONITOR_CALLS,
  CW_MONITOR_IRQTIME,
  CW_MONITOR_QUEUES,
  CW_MONITOR_REQUESTS,
  CW_MONITOR_SCHEDSTAT,
  CW_MONITOR_SOFTNET,
  CW_N_MONITORS
};

struct cw_monitor_row {
  const char* name;
  const char* sentence;
  int64_t confidence;   /* parts per thousand */
  int64_t least_events; /* of a window at full confidence; with less confidence, as many times more */
  const char* event;    /* what is counted as one */
};

/* [cw_monitor_id] */
extern const struct cw_monitor_row cw_monitors[CW_N_MONITORS];

#endif
