/* The register of monitors (monitors.def). */
#ifndef COREWISE_STEER_MONITORS_REGISTRY_H
#define COREWISE_STEER_MONITORS_REGISTRY_H

#include <stdint.h>

enum cw_monitor_id {
  CW_MONITOR_NONE = -1,
#define CW_MONITOR(id, ...) CW_MONITOR_##id,
#include "monitors.def"
  CW_N_MONITORS
};

struct cw_monitor_row {
  const char* name;
  int64_t confidence; /* parts per thousand */
  int64_t least_events;
};

/* [cw_monitor_id] */
extern const struct cw_monitor_row cw_monitors[CW_N_MONITORS];

#endif
