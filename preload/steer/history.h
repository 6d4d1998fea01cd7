/* The history in a log of steering: each swap and each advice, with its evidence and outcome, and the ranks'
 * waiting time before and after. Times are ns; the caller owns a cw_history and frees it with
 * cw_history_free().
 */
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

/* Time of a node's ranks, ns. */
struct cw_history_time {
  int64_t wait;
  int64_t all;
};

struct cw_history {
  struct cw_history_entry* rows;
  size_t n_rows;
  size_t room;
  int64_t first_interval; /* number of the first one; 0: there is none */
  int64_t own_messages;   /* that steering itself sent to other nodes, and their bytes */
  int64_t own_bytes;
  int64_t n_swaps;     /* done, without those taken back to where the ranks were before */
  int64_t n_rollbacks; /* swaps taken back */
  int64_t n_advised;   /* rows of advice that nothing followed so far */
  bool any_done;
  struct cw_history_time before; /* the first swap that was done; the whole log where none was */
  struct cw_history_time after;  /* the last one, taken back or not */
  int64_t n_compared;            /* recorded decisions */
  int64_t differs_at;            /* interval of the first decision that came out differently; 0: none did */
  char recorded[CW_LOG_LINE_BYTES + 1]; /* that decision, and the one that came out */
  char again[CW_LOG_LINE_BYTES + 1];
};

/* Adds the next interval of a log with these settings, and the decision that the decision function makes of
 * it. Returns false if there is no memory. */
bool cw_history_add(struct cw_history* history, const struct cw_log_interval* interval,
                    const struct cw_steer_settings* settings, const struct cw_decision* decision);

/* Whether a dry run left a swap out: its consequences are not in the log. */
bool cw_history_left_swap_out(const struct cw_history* history);

void cw_history_free(struct cw_history* history);

#endif
