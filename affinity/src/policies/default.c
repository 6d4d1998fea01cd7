/* Policy default: threads inherit the mask of their process, as in the runtime GMT. */
#include "policies.h"

void cw_bind_default(struct cw_thread_plan* plan) {
  for (size_t t = 0; t < plan->n_threads; ++t) hwloc_bitmap_copy(plan->threads[t].cpuset, plan->machine.mask);
}
