/* Policy pin: GMT's original pinning, with its faults, for comparison (Lavore et al., PEARC 2024, section 2).
 *
 * It binds thread t to CPU number t * stride, modulo the number of CPUs, and ignores the mask. Therefore
 * ranks bound to different packages pin to the same CPUs, and threads run on CPUs outside their process's
 * mask. If a core's PUs have consecutive numbers, two threads share a core while other cores are idle. */
#include "policies.h"

void cw_bind_pin(struct cw_thread_plan* plan) {
  const hwloc_const_bitmap_t all = hwloc_topology_get_topology_cpuset(plan->machine.topology);
  const size_t n_cpus = (size_t)hwloc_bitmap_weight(all);
  for (size_t t = 0; t < plan->n_threads; ++t)
    hwloc_bitmap_only(plan->threads[t].cpuset, (unsigned)(t * plan->stride % n_cpus));
}
