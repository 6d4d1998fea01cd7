/* See registry.h. */
#include "registry.h"

#include <string.h>

#define NEEDS(monitor) (1u << CW_MONITOR_##monitor)

const struct cw_metric_row cw_metrics[CW_N_METRICS] = {
#define CW_METRIC(id, name, priority, in_steps, needs, source, sentence) \
  {name, priority, needs, in_steps, cw_propose_##id, cw_because_##id},
#include "metrics.def"
};

int64_t cw_metric_find(const char* name, size_t length) {
  for (int64_t i = 0; i < CW_N_METRICS; ++i) {
    if (strlen(cw_metrics[i].name) == length && memcmp(cw_metrics[i].name, name, length) == 0) return i;
  }
  return -1;
}
