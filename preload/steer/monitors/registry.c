/* See registry.h. */
#include "registry.h"

const struct cw_monitor_row cw_monitors[CW_N_MONITORS] = {
#define CW_MONITOR(id, name, confidence, least_events, events, sentence) {#name, confidence, least_events},
#include "monitors.def"
};
