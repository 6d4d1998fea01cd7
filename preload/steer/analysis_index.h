/* Answers to frequent questions about a window, computed once per window: a node may have hundreds of
 * ranks. */
#ifndef COREWISE_STEER_ANALYSIS_INDEX_H
#define COREWISE_STEER_ANALYSIS_INDEX_H

#include "analysis.h"

struct cw_analysis_index {
  int32_t rank_on[CW_STEER_MOST_CORES];          /* [core]: see cw_analysis_on_core() */
  int64_t capability[CW_STEER_MOST_CORES];       /* [core]: see cw_analysis_capability() */
  int64_t least_capability[CW_STEER_MOST_CORES]; /* [core] */
  int64_t most_capability[CW_STEER_MOST_CORES];  /* [core] */
  int64_t remote_bytes[CW_STEER_MOST_RANKS];     /* [index into sum.ranks]: see cw_analysis_remote_bytes() */
};

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
