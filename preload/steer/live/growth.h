/* From totals to what they grew by. */
#ifndef COREWISE_STEER_GROWTH_H
#define COREWISE_STEER_GROWTH_H

#include "snapshot.h"

static inline int64_t cw_grown(int64_t now, int64_t before) { return now > before ? now - before : 0; }

/* Growth of every total of a rank; what is the most, or as of now, is taken as it is. */
static inline struct cw_rank_sample cw_rank_growth(const struct cw_rank_sample* now,
                                                   const struct cw_rank_sample* before) {
  struct cw_rank_sample sample = *now;
  sample.compute_ns = cw_grown(now->compute_ns, before->compute_ns);
  sample.wait_ns = cw_grown(now->wait_ns, before->wait_ns);
  sample.transfer_ns = cw_grown(now->transfer_ns, before->transfer_ns);
  sample.calls = cw_grown(now->calls, before->calls);
  sample.unsent_compute_ns = cw_grown(now->unsent_compute_ns, before->unsent_compute_ns);
  if (now->cache_misses >= 0) sample.cache_misses = cw_grown(now->cache_misses, before->cache_misses);
  return sample;
}

#endif
