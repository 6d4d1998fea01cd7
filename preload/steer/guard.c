/* See guard.h. */
#include "guard.h"

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

static bool is_pair(const struct cw_refused_pair* pair, int64_t a, int64_t b) {
  return (pair->rank_a == a && pair->rank_b == b) || (pair->rank_a == b && pair->rank_b == a);
}

bool cw_guard_allows(const struct cw_guard* guard, const struct cw_steer_settings* settings, int64_t rank_a,
                     int64_t rank_b, int64_t now_ns) {
  if (now_ns < guard->pause_until_ns) return false;
  for (int32_t i = 0; i < CW_MOST_REFUSED; ++i) {
    if (is_pair(&guard->refused[i], rank_a, rank_b) && now_ns < guard->refused[i].until_ns) return false;
  }
  const int64_t budget = settings->shared_first_ns + now_ns / 1000000 * settings->shared_share;
  return guard->shared_ns <= budget;
}

static void refuse_pair(struct cw_guard* guard, int64_t rank_a, int64_t rank_b, int64_t until_ns) {
  int32_t place = guard->next;
  for (int32_t i = 0; i < CW_MOST_REFUSED; ++i) {
    if (guard->refused[i].until_ns > 0 && is_pair(&guard->refused[i], rank_a, rank_b)) place = i;
  }
  if (place == guard->next) guard->next = (guard->next + 1) % CW_MOST_REFUSED;
  guard->refused[place] = (struct cw_refused_pair){rank_a, rank_b, until_ns};
}

void cw_guard_refuse(struct cw_guard* guard, const struct cw_steer_settings* settings, int64_t rank_a,
                     int64_t rank_b, int64_t now_ns) {
  guard->pause_ns = guard->pause_ns ? smaller(2 * guard->pause_ns, settings->backoff_most_ns)
                                    : smaller(settings->backoff_ns, settings->backoff_most_ns);
  guard->pause_until_ns = now_ns + guard->pause_ns;
  refuse_pair(guard, rank_a, rank_b, now_ns + 8 * guard->pause_ns);
}

void cw_guard_accept(struct cw_guard* guard, const struct cw_steer_settings* settings, int64_t rank_a,
                     int64_t rank_b, int64_t now_ns) {
  guard->pause_ns = 0;
  guard->pause_until_ns = now_ns;
  guard->has_retried = false;
  refuse_pair(guard, rank_a, rank_b, now_ns + 8 * settings->backoff_ns);
}

void cw_guard_allow_retry(struct cw_guard* guard, int64_t rank_a, int64_t rank_b, int64_t now_ns) {
  if (guard->has_retried) return;
  guard->has_retried = true;
  guard->pause_until_ns = now_ns;
  refuse_pair(guard, rank_a, rank_b, now_ns);
}

bool cw_guard_paid(const struct cw_steer_settings* settings, int64_t before_ns, int64_t after_ns) {
  if (before_ns <= 0 || after_ns <= 0) return false;
  const double most = (double)before_ns * (double)(1000 - settings->keep_gain);
  return 1000.0 * (double)after_ns <= most;
}

bool cw_guard_undo_was_wrong(const struct cw_steer_settings* settings, int64_t swapped_ns, int64_t now_ns) {
  return swapped_ns > 0 &&
         1000.0 * (double)swapped_ns <= (double)now_ns * (double)(1000 - settings->least_gain);
}

bool cw_guard_is_slower(const struct cw_steer_settings* settings, int64_t before_ns, int64_t now_ns) {
  return 1000.0 * (double)now_ns > (double)before_ns * (double)(1000 + settings->most_loss);
}
