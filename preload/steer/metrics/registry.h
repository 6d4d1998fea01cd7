/* The register of metrics. */
#ifndef COREWISE_STEER_METRICS_REGISTRY_H
#define COREWISE_STEER_METRICS_REGISTRY_H

#include "metric.h"

enum { CW_N_METRICS = 4 };

extern const struct cw_metric_row cw_metrics[CW_N_METRICS];

/* Row of a name; -1 where there is none. */
int64_t cw_metric_find(const char* name, size_t length);

void cw_propose_cache_locality(const struct cw_view* view, struct cw_proposals* proposals);
void cw_because_cache_locality(const struct cw_proposal* proposal, struct cw_buffer* sentence);
void cw_propose_idleness(const struct cw_view* view, struct cw_proposals* proposals);
void cw_because_idleness(const struct cw_proposal* proposal, struct cw_buffer* sentence);
void cw_propose_out_of_sync(const struct cw_view* view, struct cw_proposals* proposals);
void cw_because_out_of_sync(const struct cw_proposal* proposal, struct cw_buffer* sentence);
void cw_propose_placement(const struct cw_view* view, struct cw_proposals* proposals);
void cw_because_placement(const struct cw_proposal* proposal, struct cw_buffer* sentence);

#endif
