/* Policy singlified: the process's mask with one PU per core (Lavore et al., PEARC 2024, section 2). */
#include "policies.h"

void cw_bind_singlified(struct cw_thread_plan* plan) {
  for (size_t t = 0; t < plan->n_threads; ++t) {
    hwloc_bitmap_copy(plan->threads[t].cpuset, plan->machine.mask);
    hwloc_bitmap_singlify_per_core(plan->machine.topology, plan->threads[t].cpuset, 0);
  }
}
