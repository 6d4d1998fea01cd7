/* The register of metrics. */
#ifndef COREWISE_STEER_METRICS_REGISTRY_H
#define COREWISE_STEER_METRICS_REGISTRY_H

#include "metric.h"

enum { CW_N_METRICS = 4 };

extern const struct cw_metric_row cw_metrics[CW_N_METRICS];

/* Row of a name; -1 where there is none. */
int64_t cw_metric_find(const char* name, size_t length);

#endif
