/* What a thread policy is. */
#ifndef CW_AFFINITY_POLICY_H
#define CW_AFFINITY_POLICY_H

#include <stdbool.h>
#include <stddef.h>

struct cw_shares;
struct cw_thread_plan;

struct cw_policy {
  const char *name, *alias, *sentence; /* alias may be NULL */
  bool counts_cores;                   /* a thread for each core by default, else one for each PU */

  /* One of the two is set. `bind` fills the cpuset of every thread: for policies whose threads share one mask
   * or go by absolute numbers. `order` gives every thread its own place: it fills `sequence` with all
   * places (positions in machine.places), so that the ranges that `shares` gives to the duties lie well;
   * false when memory ran out. */
  void (*bind)(struct cw_thread_plan* plan);
  bool (*order)(const struct cw_thread_plan* plan, const struct cw_shares* shares, size_t* sequence);
};

#endif
