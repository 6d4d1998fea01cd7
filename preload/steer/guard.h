/* The guard of swaps: were they worth it, how long to wait after one that was not, and what may still be
 * spent. */
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
  int64_t pause_ns; /* after the last swap that did not pay; 0 at first and after one that did */
  int64_t pause_until_ns;
  int64_t shared_ns; /* two processes were on one core for this long, in all */
  bool has_retried;  /* since the last swap that paid */
  int32_t next;      /* entry of `refused` that is overwritten next */
  struct cw_refused_pair refused[CW_MOST_REFUSED];
};

/* A swap of these two may be tried now: no pause, the pair not refused, budget left. */
bool cw_guard_allows(const struct cw_guard* guard, const struct cw_steer_settings* settings, int64_t rank_a,
                     int64_t rank_b, int64_t now_ns);

/* After a swap that did not pay or was not done: a pause for all, twice the one before, and eight times as
 * long for the pair. */
void cw_guard_refuse(struct cw_guard* guard, const struct cw_steer_settings* settings, int64_t rank_a,
                     int64_t rank_b, int64_t now_ns);

/* After a swap that paid: the next pause is the first again; the pair is not undone by a metric for a while.
 */
void cw_guard_accept(struct cw_guard* guard, const struct cw_steer_settings* settings, int64_t rank_a,
                     int64_t rank_b, int64_t now_ns);

/* A swap of these two was taken back, and the window after it shows that it should not have been: it may be
 * tried again at once. Only once until a swap pays, so that no program's rhythm makes it swap all the time.
 */
void cw_guard_allow_retry(struct cw_guard* guard, int64_t rank_a, int64_t rank_b, int64_t now_ns);

/* Time of an iteration before and after, ns: a swap is kept where it fell by keep_gain at least. */
bool cw_guard_paid(const struct cw_steer_settings* settings, int64_t before_ns, int64_t after_ns);

/* Time of an iteration while a swap lasted and after it was taken back, ns: whether it was wrong to do so. It
 * is where the swap saved least_gain, for one window may be disturbed. */
bool cw_guard_undo_was_wrong(const struct cw_steer_settings* settings, int64_t swapped_ns, int64_t now_ns);

/* Whether an iteration takes longer than before the swap, by more than most_loss. */
bool cw_guard_is_slower(const struct cw_steer_settings* settings, int64_t before_ns, int64_t now_ns);

#endif
