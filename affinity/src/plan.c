/* Reads the entries of a plan, and frees it. */
#include "plan.h"

#include <stdlib.h>

#include "policies/policy.h"

void cw_thread_plan_destroy(cw_thread_plan_t* plan) {
  if (plan == NULL) return;
  for (size_t t = 0; plan->threads != NULL && t < plan->n_threads; ++t) {
    hwloc_bitmap_free(plan->threads[t].cpuset);
    hwloc_bitmap_free(plan->threads[t].nodeset);
  }
  for (size_t r = 0; r < plan->n_roles; ++r) free(plan->roles[r].name);
  free(plan->threads);
  free(plan->roles);
  cw_text_free(&plan->notes);
  cw_machine_free(&plan->machine);
  free(plan);
}

size_t cw_thread_plan_size(const cw_thread_plan_t* plan) { return plan->n_threads; }

static const struct cw_planned_role* find_role(const cw_thread_plan_t* plan, const char* name) {
  for (size_t r = 0; r < plan->n_roles; ++r) {
    if (strcmp(plan->roles[r].name, name) == 0) return &plan->roles[r];
  }
  return NULL;
}

cw_status_t cw_thread_plan_count(const cw_thread_plan_t* plan, const char* role, size_t* count_p) {
  const struct cw_planned_role* found = find_role(plan, role);
  if (found == NULL) return CW_ERR_RANGE;
  *count_p = found->count;
  return CW_OK;
}

const char* cw_thread_plan_policy(const cw_thread_plan_t* plan) { return plan->policy->name; }

cw_status_t cw_thread_plan_find(const cw_thread_plan_t* plan, const char* role, size_t index,
                                size_t* thread_p) {
  const struct cw_planned_role* found = find_role(plan, role);
  if (found == NULL || index >= found->count) return CW_ERR_RANGE;
  *thread_p = found->first_thread + index;
  return CW_OK;
}

cw_status_t cw_thread_plan_role(const cw_thread_plan_t* plan, size_t thread, const char** role_p,
                                size_t* index_p) {
  for (size_t r = 0; r < plan->n_roles; ++r) {
    const struct cw_planned_role* role = &plan->roles[r];
    if (thread < role->first_thread || thread - role->first_thread >= role->count) continue;
    *role_p = role->name;
    *index_p = thread - role->first_thread;
    return CW_OK;
  }
  return CW_ERR_RANGE;
}

cw_status_t cw_thread_plan_cpuset(const cw_thread_plan_t* plan, size_t thread,
                                  hwloc_const_bitmap_t* cpuset_p) {
  if (thread >= plan->n_threads) return CW_ERR_RANGE;
  *cpuset_p = plan->threads[thread].cpuset;
  return CW_OK;
}

cw_status_t cw_thread_plan_nodeset(const cw_thread_plan_t* plan, size_t thread,
                                   hwloc_const_bitmap_t* nodeset_p) {
  if (thread >= plan->n_threads) return CW_ERR_RANGE;
  *nodeset_p = plan->threads[thread].nodeset;
  return CW_OK;
}
