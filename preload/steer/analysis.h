/* Sums of snapshots over a window, and which of them there is enough evidence for. */
#ifndef COREWISE_STEER_ANALYSIS_H
#define COREWISE_STEER_ANALYSIS_H

#include "machine.h"
#include "settings.h"
#include "snapshot.h"

/* Confidence of each monitor, parts per thousand; 0: off. */
struct cw_confidences {
  int64_t of[CW_N_MONITORS];
};

struct cw_confidences cw_confidences_default(void);

/* A window: `sum` holds the sums of all intervals; core, node, capability, assisted, targets and what is "the
 * most" (bytes, ages) are those of the last interval, or the greatest. */
struct cw_analysis {
  int64_t n_intervals;
  struct cw_snapshot sum;
};

void cw_analysis_clear(struct cw_analysis* analysis);

/* Where the ranks of `node`, which decides, are not those of the window so far, or one of them changed its
 * core, the window begins anew. Ranks of other nodes may come, go and move: their nodes steer them. */
void cw_analysis_add(struct cw_analysis* analysis, const struct cw_snapshot* snapshot, int64_t node);

/* What metrics ask again and again, found once for a window: a node may have hundreds of ranks. */
struct cw_analysis_index {
  int32_t rank_on[CW_STEER_MOST_CORES];          /* [core]: see cw_analysis_on_core() */
  int64_t capability[CW_STEER_MOST_CORES];       /* [core]: see cw_analysis_capability() */
  int64_t least_capability[CW_STEER_MOST_CORES]; /* [core] */
  int64_t most_capability[CW_STEER_MOST_CORES];  /* [core] */
  int64_t remote_bytes[CW_STEER_MOST_RANKS];     /* [index into sum.ranks]: see cw_analysis_remote_bytes() */
};

/* All that a metric may look at. */
struct cw_view {
  const struct cw_steer_machine* machine;
  const struct cw_steer_settings* settings;
  const struct cw_confidences* confidences;
  const struct cw_analysis* analysis;
  const struct cw_analysis_index* index;
};

/* Fills `index` from the rest of the view, and lets the view refer to it. */
void cw_view_index(struct cw_view* view, struct cw_analysis_index* index);

/* Whether a monitor counted enough events: at least least_events * 1000 / confidence of its register row.
 * `rank`: index into sum.ranks; not looked at by monitors of cores. */
bool cw_analysis_accepts(const struct cw_view* view, enum cw_monitor_id monitor, int32_t rank);

/* Index of a rank into sum.ranks, or -1. */
int32_t cw_analysis_find(const struct cw_analysis* analysis, int64_t rank);

/* The rank of this node that is on `core`, as an index into sum.ranks; -1 where there is none or several. */
int32_t cw_analysis_on_core(const struct cw_view* view, int64_t core);

/* The core that works on at least protocol_share of the node's packets, or, where packets can't be counted,
 * of its devices' interrupts; -1 where there is none. */
int64_t cw_analysis_protocol_core(const struct cw_view* view);

/* Which of the two it is. */
enum cw_monitor_id cw_analysis_protocol_monitor(const struct cw_view* view);

/* What is left of a core of this node for its rank, parts per thousand of the fastest idle core: less the
 * kernel's packet work and less what other threads took. At least 1. */
int64_t cw_analysis_capability(const struct cw_view* view, int64_t core);

/* The least and the most that it may be, for no monitor tells exactly what packets and other threads cost. */
int64_t cw_analysis_least_capability(const struct cw_view* view, int64_t core);
int64_t cw_analysis_most_capability(const struct cw_view* view, int64_t core);

/* Bytes that a rank (index into sum.ranks) sent to other nodes or got from them, as far as they were counted.
 */
int64_t cw_analysis_remote_bytes(const struct cw_view* view, int32_t rank);

/* The same for the core that a rank (index into sum.ranks) is on, on any node. */
int64_t cw_analysis_capability_of_rank(const struct cw_view* view, int32_t rank);

/* Units of work that ended on a node and the time they took: iterations of the program's loop, or blocking
 * calls where no rank of the node has a loop. */
struct cw_progress {
  int64_t units;
  int64_t time_ns;
  int64_t least_units; /* of the rank with fewest */
};

struct cw_progress cw_analysis_progress(const struct cw_analysis* analysis, int64_t node);

#endif
