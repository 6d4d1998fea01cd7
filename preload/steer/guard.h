/* The guard of swaps: whether a swap helped, how long to wait after one that did not, and how much may still
 * be spent on trying.
 *
 * A swap costs time: while it is done, two ranks share a core. So after a swap that did not help, the guard
 * pauses all swaps, each time twice as long, and refuses that pair for eight times as long. The sum of all
 * shared time has a budget (settings shared_first_ns and shared_share). Times are ns of CLOCK_MONOTONIC,
 * ranks are those of MPI_COMM_WORLD. Nothing here allocates or fails; start from a guard of zeros. */
#ifndef COREWISE_STEER_GUARD_H
#define COREWISE_STEER_GUARD_H

#include <stdbool.h>
#include <stdint.h>

#include "settings.h"

enum { CW_MOST_REFUSED = 64 };

/* A pair of ranks that is not proposed again before `until_ns`. */
struct cw_refused_pair {
  int64_t rank_a;
  int64_t rank_b;
  int64_t until_ns;
};

struct cw_guard {
  int64_t pause_ns; /* after the last swap that did not help; 0 at first and after one that did */
  int64_t pause_until_ns;
  int64_t shared_ns; /* sum of the times in which two processes shared a core */
  bool has_retried;  /* cw_guard_allow_retry() was used since the last swap that helped */
  int32_t next;      /* entry of `refused` that is overwritten next */
  struct cw_refused_pair refused[CW_MOST_REFUSED];
};

/* Whether these two ranks may be swapped now: no pause, the pair not refused, budget left. */
bool cw_guard_allows(const struct cw_guard* guard, const struct cw_steer_settings* settings, int64_t rank_a,
                     int64_t rank_b, int64_t now_ns);

/* After a swap that did not help or was not done: starts the pause, and refuses the pair. */
void cw_guard_refuse(struct cw_guard* guard, const struct cw_steer_settings* settings, int64_t rank_a,
                     int64_t rank_b, int64_t now_ns);

/* After a swap that helped: the next pause is the shortest again. The pair is refused for a while, so that no
 * other metric swaps it back. */
void cw_guard_accept(struct cw_guard* guard, const struct cw_steer_settings* settings, int64_t rank_a,
                     int64_t rank_b, int64_t now_ns);

/* After cw_guard_undo_was_wrong(): these two ranks may be swapped again at once. Only once until a swap
 * helps, so that a program with a rhythm is not swapped all the time. */
void cw_guard_allow_retry(struct cw_guard* guard, int64_t rank_a, int64_t rank_b, int64_t now_ns);

/* Whether a swap helped: an iteration of `before_ns` takes `after_ns` now, shorter by setting keep_gain. */
bool cw_guard_paid(const struct cw_steer_settings* settings, int64_t before_ns, int64_t after_ns);

/* Whether undoing a swap was wrong: an iteration took `swapped_ns` with it and takes `now_ns` without it. The
 * swap must have saved setting least_gain, because one window may be disturbed. */
bool cw_guard_undo_was_wrong(const struct cw_steer_settings* settings, int64_t swapped_ns, int64_t now_ns);

/* Whether an iteration is slower than before the swap by more than setting most_loss. */
bool cw_guard_is_slower(const struct cw_steer_settings* settings, int64_t before_ns, int64_t now_ns);

#endif
