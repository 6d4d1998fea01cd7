/* The history in a steering log: each swap and each advice, with reason and outcome, and the ranks' waiting
 * times before and after. Times are ns. Free a cw_history with cw_history_free(). */
#ifndef COREWISE_STEER_HISTORY_H
#define COREWISE_STEER_HISTORY_H

#include "log.h"

enum { CW_SENTENCE_BYTES = 480 };

/* A swap, an undo or an advice. */
struct cw_history_entry {
  int64_t time_ns;
  struct cw_decision decision;
  char because[CW_SENTENCE_BYTES];
  char outcome[CW_SENTENCE_BYTES];
};

/* Sums over the ranks of a node, ns. */
struct cw_history_time {
  int64_t wait;
  int64_t all;
};

struct cw_history {
  struct cw_history_entry* rows;
  size_t n_rows;
  size_t room;
  int64_t first_interval; /* its number; 0: no interval yet */
  int64_t n_swaps;        /* swaps that were carried out, undos not counted */
  int64_t n_rollbacks;    /* undone swaps */
  int64_t n_advised;      /* rows of advice that was not followed yet */
  bool any_done;
  struct cw_history_time before;        /* before the first swap; without swaps, of the whole log */
  struct cw_history_time after;         /* after the last swap or undo */
  int64_t n_compared;                   /* number of recorded decisions that were compared */
  int64_t differs_at;                   /* interval of the first decision that differs; 0: none */
  char recorded[CW_LOG_LINE_BYTES + 1]; /* that decision as recorded */
  char again[CW_LOG_LINE_BYTES + 1];    /* as computed again */
};

/* Adds the next interval of a log with these settings, and the decision that was computed again for it.
 * False: out of memory. */
bool cw_history_add(struct cw_history* history, const struct cw_log_interval* interval,
                    const struct cw_steer_settings* settings, const struct cw_decision* decision);

/* Did a dry run skip a swap? The log then does not contain the consequences of the swap. */
bool cw_history_left_swap_out(const struct cw_history* history);

void cw_history_free(struct cw_history* history);

#endif
