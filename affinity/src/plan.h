/* A plan: the threads of every role and the PUs of each thread. */
#ifndef CW_AFFINITY_PLAN_H
#define CW_AFFINITY_PLAN_H

#include <stdatomic.h>
#include <stdbool.h>

#include "corewise/affinity.h"
#include "machine.h"
#include "text.h"

struct cw_planned_role {
  char* name;
  cw_duty_t duty;
  size_t count, first_thread;
  bool by_default;
};

struct cw_planned_thread {
  hwloc_bitmap_t cpuset;
  hwloc_bitmap_t nodeset; /* NULL: memory is inherited */
  atomic_int tid;         /* 0: not bound yet */
};

struct cw_thread_plan {
  const struct cw_policy* policy; /* policies/policy.h */
  struct cw_machine machine;
  struct cw_planned_role* roles;
  size_t n_roles;
  struct cw_planned_thread* threads;
  size_t n_threads;
  unsigned stride, local_rank, local_size;
  bool local_memory;
  struct cw_text notes; /* printed before the table, one note per line */
};

#endif
