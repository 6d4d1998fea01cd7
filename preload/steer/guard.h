/* The guard of swaps: decides if a swap helped, how long to wait after one that did not, and limits the total
 * cost of swaps.
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

/* A pair of ranks that must not be swapped before `until_ns`. */
struct cw_refused_pair {
  int64_t rank_a;
  int64_t rank_b;
  int64_t until_ns;
};

struct cw_guard {
  int64_t pause_ns; /* length of the last pause; 0: none since a swap that helped */
  int64_t pause_until_ns;
  int64_t shared_ns; /* total time in which two processes shared a core during swaps */
  bool has_retried;  /* cw_guard_allow_retry() was used since the last swap that helped */
  int32_t next;      /* entry of `refused` to overwrite next */
  struct cw_refused_pair refused[CW_MOST_REFUSED];
};

/* May these two ranks be swapped now? True without a pause, if the pair is not refused and budget is left. */
bool cw_guard_allows(const struct cw_guard* guard, const struct cw_steer_settings* settings, int64_t rank_a,
                     int64_t rank_b, int64_t now_ns);

/* After a swap that did not help or failed: starts the pause and refuses the pair. */
void cw_guard_refuse(struct cw_guard* guard, const struct cw_steer_settings* settings, int64_t rank_a,
                     int64_t rank_b, int64_t now_ns);

/* After a swap that helped: resets the pause. Refuses the pair for a while, so that no other metric swaps it
 * back. */
void cw_guard_accept(struct cw_guard* guard, const struct cw_steer_settings* settings, int64_t rank_a,
                     int64_t rank_b, int64_t now_ns);

/* After cw_guard_undo_was_wrong(): allows swapping these two ranks at once. Works once until a swap helps, so
 * that a program with periodic phases does not cause endless swaps. */
void cw_guard_allow_retry(struct cw_guard* guard, int64_t rank_a, int64_t rank_b, int64_t now_ns);

/* Did a swap help? True if an iteration is shorter than before by the setting keep_gain. */
bool cw_guard_paid(const struct cw_steer_settings* settings, int64_t before_ns, int64_t after_ns);

/* Was undoing a swap wrong? `swapped_ns`: time of an iteration with the swap; `now_ns`: without it. The swap
 * must have saved the setting least_gain, because a single window may be disturbed. */
bool cw_guard_undo_was_wrong(const struct cw_steer_settings* settings, int64_t swapped_ns, int64_t now_ns);

/* Is an iteration slower than before the swap by more than the setting most_loss? */
bool cw_guard_is_slower(const struct cw_steer_settings* settings, int64_t before_ns, int64_t now_ns);

#endif
