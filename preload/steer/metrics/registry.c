/* The register of metrics, sorted by name. */
#include "registry.h"

#include <string.h>

#include "metrics.h"

#define NEEDS(monitor) (1u << CW_MONITOR_##monitor)

/* Where a process shows several symptoms, locality goes before idleness, as the paper's section IV-A says. */
const struct cw_metric_row cw_metrics[CW_N_METRICS] = {
    {"cache-locality", "ranks with most traffic between nodes share a cache with the protocol core",
     "Scogland et al., section IV-A3", 1, NEEDS(CALLS) | NEEDS(SOFTNET) | NEEDS(CACHE), false,
     cw_propose_cache_locality, cw_because_cache_locality},
    {"idleness", "a rank that waits changes with one that never waits on a slower core",
     "Scogland et al., section IV-A1, figure 5", 2,
     NEEDS(CALLS) | NEEDS(IRQTIME) | NEEDS(SOFTNET) | NEEDS(SCHEDSTAT), false, cw_propose_idleness,
     cw_because_idleness},
    {"out-of-sync", "ranks whose sends stay unsent while peers wait get cores alike, or progress assistance",
     "Scogland et al., section IV-A2", 3,
     NEEDS(CALLS) | NEEDS(REQUESTS) | NEEDS(BACKLOG) | NEEDS(QUEUES) | NEEDS(IRQTIME) | NEEDS(SOFTNET) |
         NEEDS(SCHEDSTAT),
     false, cw_propose_out_of_sync, cw_because_out_of_sync},
    {"placement", "ranks go step by step to the cores that a solver chose", "ours", 4, NEEDS(CALLS), true,
     cw_propose_placement, cw_because_placement},
};

int64_t cw_metric_find(const char* name, size_t length) {
  for (int64_t i = 0; i < CW_N_METRICS; ++i) {
    if (strlen(cw_metrics[i].name) == length && memcmp(cw_metrics[i].name, name, length) == 0) return i;
  }
  return -1;
}
