/* Definition of a thread policy. */
#ifndef CW_AFFINITY_POLICY_H
#define CW_AFFINITY_POLICY_H

#include <stdbool.h>
#include <stddef.h>

struct cw_shares;
struct cw_thread_plan;

struct cw_policy {
  const char *name, *alias, *sentence; /* alias may be NULL */
  bool counts_cores;                   /* default number of threads: one per core, else one per PU */

  /* Exactly one of these two is set. `bind` fills the cpuset of every thread itself. `order` fills `sequence`
   * with all places (indices into machine.places); each duty then uses its range of the sequence, from
   * `shares`, with one place per thread. `order` returns false if memory ran out. */
  void (*bind)(struct cw_thread_plan* plan);
  bool (*order)(const struct cw_thread_plan* plan, const struct cw_shares* shares, size_t* sequence);
};

#endif
