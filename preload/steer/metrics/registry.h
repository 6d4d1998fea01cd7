/* The register of metrics (metrics.def). */
#ifndef COREWISE_STEER_METRICS_REGISTRY_H
#define COREWISE_STEER_METRICS_REGISTRY_H

#include "metric.h"

enum cw_metric_id {
#define CW_METRIC(id, ...) CW_METRIC_##id,
#include "metrics.def"
  CW_N_METRICS
};

#define CW_METRIC(id, ...)                                                          \
  void cw_propose_##id(const struct cw_view* view, struct cw_proposals* proposals); \
  void cw_because_##id(const struct cw_proposal* proposal, struct cw_buffer* sentence);
#include "metrics.def"

/* [cw_metric_id] */
extern const struct cw_metric_row cw_metrics[CW_N_METRICS];

/* Index of the metric with this name; -1: none. */
int64_t cw_metric_find(const char* name, size_t length);

#endif
