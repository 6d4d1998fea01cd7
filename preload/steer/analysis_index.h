/* What metrics ask again and again of a window: which rank is on a core, and what is left of the core for it.
 */
#ifndef COREWISE_STEER_ANALYSIS_INDEX_H
#define COREWISE_STEER_ANALYSIS_INDEX_H

#include "analysis.h"

/* Found once for a window: a node may have hundreds of ranks. */
struct cw_analysis_index {
  int32_t rank_on[CW_STEER_MOST_CORES];          /* [core]: see cw_analysis_on_core() */
  int64_t capability[CW_STEER_MOST_CORES];       /* [core]: see cw_analysis_capability() */
  int64_t least_capability[CW_STEER_MOST_CORES]; /* [core] */
  int64_t most_capability[CW_STEER_MOST_CORES];  /* [core] */
  int64_t remote_bytes[CW_STEER_MOST_RANKS];     /* [index into sum.ranks]: see cw_analysis_remote_bytes() */
};

/* Fills `index` from the rest of the view, and lets the view refer to it. */
void cw_view_index(struct cw_view* view, struct cw_analysis_index* index);

/* The rank of this node that is on `core`, as an index into sum.ranks; -1 where there is none or several. */
int32_t cw_analysis_on_core(const struct cw_view* view, int64_t core);

/* What is left of a core of this node for its rank, parts per thousand of the fastest idle core: less the
 * kernel's packet work and less what other threads took. At least 1. */
int64_t cw_analysis_capability(const struct cw_view* view, int64_t core);

/* The least and the most that it may be, for no monitor tells exactly what packets and other threads cost. */
int64_t cw_analysis_least_capability(const struct cw_view* view, int64_t core);
int64_t cw_analysis_most_capability(const struct cw_view* view, int64_t core);

/* What is left of the core that a rank (index into sum.ranks) is on, on any node. */
int64_t cw_analysis_capability_of_rank(const struct cw_view* view, int32_t rank);

/* Bytes that a rank (index into sum.ranks) sent to other nodes or got from them, as far as they were counted.
 */
int64_t cw_analysis_remote_bytes(const struct cw_view* view, int32_t rank);

#endif
