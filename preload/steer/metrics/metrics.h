/* The functions of each metric, which are in a file of its name; the register lists them. */
#ifndef COREWISE_STEER_METRICS_METRICS_H
#define COREWISE_STEER_METRICS_METRICS_H

#include "metric.h"

void cw_propose_cache_locality(const struct cw_view* view, struct cw_proposals* proposals);
void cw_because_cache_locality(const struct cw_proposal* proposal, struct cw_buffer* sentence);
void cw_propose_idleness(const struct cw_view* view, struct cw_proposals* proposals);
void cw_because_idleness(const struct cw_proposal* proposal, struct cw_buffer* sentence);
void cw_propose_out_of_sync(const struct cw_view* view, struct cw_proposals* proposals);
void cw_because_out_of_sync(const struct cw_proposal* proposal, struct cw_buffer* sentence);
void cw_propose_placement(const struct cw_view* view, struct cw_proposals* proposals);
void cw_because_placement(const struct cw_proposal* proposal, struct cw_buffer* sentence);

#endif
