/* Sums of snapshots over a window, and whether they are enough evidence for a decision. */
#ifndef COREWISE_STEER_ANALYSIS_H
#define COREWISE_STEER_ANALYSIS_H

#include "machine.h"
#include "monitors/registry.h"
#include "settings.h"
#include "snapshot.h"

/* Confidence of each monitor in parts per thousand; 0: the monitor is off. */
struct cw_confidences {
  int64_t of[CW_N_MONITORS];
};

struct cw_confidences cw_confidences_default(void);

/* A window of several intervals. sample.def says how each sample is combined; targets are those of the last
 * interval. */
struct cw_analysis {
  int64_t n_intervals;
  struct cw_snapshot sum;
};

void cw_analysis_clear(struct cw_analysis* analysis);

/* Adds a snapshot. The window restarts if the ranks changed or moved to another core. */
void cw_analysis_add(struct cw_analysis* analysis, const struct cw_snapshot* snapshot);

/* Answers to frequent questions about a window, computed once per window: a node may have hundreds of
 * ranks. */
struct cw_analysis_index {
  int32_t rank_on[CW_STEER_MOST_CORES];          /* [core]: see cw_analysis_on_core() */
  int64_t capability[CW_STEER_MOST_CORES];       /* [core]: see cw_analysis_capability() */
  int64_t least_capability[CW_STEER_MOST_CORES]; /* [core] */
  int64_t most_capability[CW_STEER_MOST_CORES];  /* [core] */
  int64_t remote_bytes[CW_STEER_MOST_RANKS];     /* [index into sum.ranks]: see cw_analysis_remote_bytes() */
};

/* The input of a metric. */
struct cw_view {
  const struct cw_steer_machine* machine;
  const struct cw_steer_settings* settings;
  const struct cw_confidences* confidences;
  const struct cw_analysis* analysis;
  const struct cw_analysis_index* index;
};

/* Did the monitor count enough events, at least least_events * 1000 / confidence (monitors.def)? `rank`:
 * index into sum.ranks; ignored for monitors of cores. */
bool cw_analysis_accepts(const struct cw_view* view, enum cw_monitor_id monitor, int32_t rank);

/* Index of a rank into sum.ranks, or -1. */
int32_t cw_analysis_find(const struct cw_analysis* analysis, int64_t rank);

/* The core that processes at least the share protocol_share of the node's packets; -1: none. */
int64_t cw_analysis_protocol_core(const struct cw_view* view);

/* Blocking calls that ended, and the time from one end to the next, each summed over the ranks. An
 * iteration here is one blocking call and the computation before it. */
struct cw_progress {
  int64_t calls;
  int64_t time_ns;
  int64_t least_calls; /* of the rank with the fewest */
};

struct cw_progress cw_analysis_progress(const struct cw_analysis* analysis);

/* Fills `index` from the other fields of the view, and sets view->index. */
void cw_view_index(struct cw_view* view, struct cw_analysis_index* index);

/* Index into sum.ranks of the rank on `core`; -1: no rank, or several. */
int32_t cw_analysis_on_core(const struct cw_view* view, int64_t core);

/* Effective capability of a core of this node for its rank, in parts per thousand of the fastest idle core:
 * without the time for the kernel's packet processing and for other threads. At least 1. */
int64_t cw_analysis_capability(const struct cw_view* view, int64_t core);

/* Lower and upper bound of that, because no monitor measures the cost of packets and other threads
 * exactly. */
int64_t cw_analysis_least_capability(const struct cw_view* view, int64_t core);
int64_t cw_analysis_most_capability(const struct cw_view* view, int64_t core);

/* Bytes that a rank (index into sum.ranks) sent to ranks that are not steered here: those of other nodes. */
int64_t cw_analysis_remote_bytes(const struct cw_view* view, int32_t rank);

#endif
