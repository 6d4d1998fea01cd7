/* Sums of snapshots over a window, and which of them there is enough evidence for. */
#ifndef COREWISE_STEER_ANALYSIS_H
#define COREWISE_STEER_ANALYSIS_H

#include "machine.h"
#include "monitors/registry.h"
#include "settings.h"
#include "snapshot.h"

/* Confidence of each monitor, parts per thousand; 0: off. */
struct cw_confidences {
  int64_t of[CW_N_MONITORS];
};

struct cw_confidences cw_confidences_default(void);

/* A window: samples in `sum` are what sample.def makes of all its intervals, targets those of the last one.
 */
struct cw_analysis {
  int64_t n_intervals;
  struct cw_snapshot sum;
};

void cw_analysis_clear(struct cw_analysis* analysis);

/* Where the ranks of `node`, which decides, are not those of the window so far, or one of them changed its
 * core, the window starts again. Ranks of other nodes may come, go and move: their nodes steer them. */
void cw_analysis_add(struct cw_analysis* analysis, const struct cw_snapshot* snapshot, int64_t node);

struct cw_analysis_index;

/* All that a metric may look at. */
struct cw_view {
  const struct cw_steer_machine* machine;
  const struct cw_steer_settings* settings;
  const struct cw_confidences* confidences;
  const struct cw_analysis* analysis;
  const struct cw_analysis_index* index; /* analysis_index.h */
};

/* Whether a monitor counted enough events: at least least_events * 1000 / confidence of its register row.
 * `rank`: index into sum.ranks; ignored by monitors of cores. */
bool cw_analysis_accepts(const struct cw_view* view, enum cw_monitor_id monitor, int32_t rank);

/* Index of a rank into sum.ranks, or -1. */
int32_t cw_analysis_find(const struct cw_analysis* analysis, int64_t rank);

/* The core that works on at least protocol_share of the node's packets; -1 if no core does. */
int64_t cw_analysis_protocol_core(const struct cw_view* view);

/* Blocking calls that ended on a node, and the time between the ends of two of them, added up over its ranks.
 * Where this part speaks of an iteration, it is one blocking call with the computing before it. */
struct cw_progress {
  int64_t calls;
  int64_t time_ns;
  int64_t least_calls; /* of the rank with fewest */
};

struct cw_progress cw_analysis_progress(const struct cw_analysis* analysis, int64_t node);

#endif
