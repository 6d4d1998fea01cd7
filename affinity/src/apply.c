/* Binds threads as planned and verifies their bindings. */
#include <hwloc/linux.h>
#include <unistd.h>

#include "plan.h"
#include "text.h"

static cw_status_t check_thread(const cw_thread_plan_t* plan, size_t thread) {
  if (thread >= plan->n_threads) return CW_ERR_RANGE;
  return hwloc_topology_is_thissystem(plan->machine.topology) ? CW_OK : CW_ERR_FOREIGN;
}

/* hwloc binds only the calling thread's memory. */
static cw_status_t check_other_thread(const cw_thread_plan_t* plan, size_t thread) {
  return plan->local_memory && thread < plan->n_threads ? CW_ERR_ARGUMENT : check_thread(plan, thread);
}

cw_status_t cw_thread_plan_apply(cw_thread_plan_t* plan, size_t thread) {
  const cw_status_t status = check_thread(plan, thread);
  if (status != CW_OK) return status;
  struct cw_planned_thread* planned = &plan->threads[thread];
  const hwloc_topology_t topology = plan->machine.topology;
  if (hwloc_set_cpubind(topology, planned->cpuset, HWLOC_CPUBIND_THREAD) != 0) return CW_ERR_SYSTEM;
  const int memory_flags = HWLOC_MEMBIND_THREAD | HWLOC_MEMBIND_BYNODESET | HWLOC_MEMBIND_STRICT;
  if (planned->nodeset != NULL &&
      hwloc_set_membind(topology, planned->nodeset, HWLOC_MEMBIND_BIND, memory_flags) != 0)
    return CW_ERR_SYSTEM;
  atomic_store(&planned->tid, gettid());
  return CW_OK;
}

cw_status_t cw_thread_plan_apply_pthread(cw_thread_plan_t* plan, size_t thread, pthread_t pthread) {
  const cw_status_t status = check_other_thread(plan, thread);
  if (status != CW_OK) return status;
  const int failed =
      hwloc_set_thread_cpubind(plan->machine.topology, pthread, plan->threads[thread].cpuset, 0);
  return failed == 0 ? CW_OK : CW_ERR_SYSTEM;
}

cw_status_t cw_thread_plan_apply_tid(cw_thread_plan_t* plan, size_t thread, pid_t tid) {
  const cw_status_t status = check_other_thread(plan, thread);
  if (status != CW_OK) return status;
  struct cw_planned_thread* planned = &plan->threads[thread];
  if (hwloc_linux_set_tid_cpubind(plan->machine.topology, tid, planned->cpuset) != 0) return CW_ERR_SYSTEM;
  atomic_store(&planned->tid, tid);
  return CW_OK;
}

/* Compares the set that was read from the system with the planned set. Frees `found`. */
static cw_status_t compare(int failed, hwloc_bitmap_t found, hwloc_const_bitmap_t planned) {
  const bool same = failed == 0 && hwloc_bitmap_isequal(found, planned);
  hwloc_bitmap_free(found);
  if (failed != 0) return CW_ERR_SYSTEM;
  return same ? CW_OK : CW_ERR_DIFFERS;
}

static cw_status_t verify_memory(const cw_thread_plan_t* plan, hwloc_const_bitmap_t planned) {
  hwloc_bitmap_t found = hwloc_bitmap_alloc();
  if (found == NULL) return CW_ERR_NO_MEMORY;
  hwloc_membind_policy_t policy = HWLOC_MEMBIND_DEFAULT;
  const int failed = hwloc_get_membind(plan->machine.topology, found, &policy,
                                       HWLOC_MEMBIND_THREAD | HWLOC_MEMBIND_BYNODESET);
  const cw_status_t status = compare(failed, found, planned);
  return status == CW_OK && policy != HWLOC_MEMBIND_BIND ? CW_ERR_DIFFERS : status;
}

cw_status_t cw_thread_plan_verify(const cw_thread_plan_t* plan, size_t thread) {
  cw_status_t status = check_thread(plan, thread);
  if (status != CW_OK) return status;
  const struct cw_planned_thread* planned = &plan->threads[thread];
  hwloc_bitmap_t found = hwloc_bitmap_alloc();
  if (found == NULL) return CW_ERR_NO_MEMORY;
  const int failed = hwloc_get_cpubind(plan->machine.topology, found, HWLOC_CPUBIND_THREAD);
  status = compare(failed, found, planned->cpuset);
  return status == CW_OK && planned->nodeset != NULL ? verify_memory(plan, planned->nodeset) : status;
}

cw_status_t cw_thread_plan_verify_pthread(const cw_thread_plan_t* plan, size_t thread, pthread_t pthread) {
  const cw_status_t status = check_thread(plan, thread);
  if (status != CW_OK) return status;
  hwloc_bitmap_t found = hwloc_bitmap_alloc();
  if (found == NULL) return CW_ERR_NO_MEMORY;
  const int failed = hwloc_get_thread_cpubind(plan->machine.topology, pthread, found, 0);
  return compare(failed, found, plan->threads[thread].cpuset);
}

/* Returns whether a thread is bound as planned; if not, adds a line about it. */
static bool is_as_planned(const cw_thread_plan_t* plan, size_t thread, hwloc_bitmap_t found,
                          struct cw_text* lines) {
  const struct cw_planned_thread* planned = &plan->threads[thread];
  const int tid = atomic_load(&planned->tid);
  const bool read = tid != 0 && hwloc_linux_get_tid_cpubind(plan->machine.topology, tid, found) == 0;
  if (read && hwloc_bitmap_isequal(found, planned->cpuset)) return true;
  const char* role = "";
  size_t index = 0;
  cw_thread_plan_role(plan, thread, &role, &index);
  cw_text_add(lines, "%s %zu: planned ", role, index);
  cw_text_add_list(lines, planned->cpuset);
  if (read) {
    cw_text_add(lines, ", found ");
    cw_text_add_list(lines, found);
  } else {
    cw_text_add(lines, ", %s", tid == 0 ? "never bound" : "ended");
  }
  cw_text_add(lines, "\n");
  return false;
}

cw_status_t cw_thread_plan_verify_all(const cw_thread_plan_t* plan, char* text, size_t text_size) {
  if (!hwloc_topology_is_thissystem(plan->machine.topology)) return CW_ERR_FOREIGN;
  hwloc_bitmap_t found = hwloc_bitmap_alloc();
  if (found == NULL) return CW_ERR_NO_MEMORY;
  struct cw_text lines = {0};
  bool all = true;
  for (size_t t = 0; t < plan->n_threads; ++t) all &= is_as_planned(plan, t, found, &lines);
  hwloc_bitmap_free(found);
  cw_text_copy(&lines, text, text_size);
  cw_text_free(&lines);
  return all ? CW_OK : CW_ERR_DIFFERS;
}
