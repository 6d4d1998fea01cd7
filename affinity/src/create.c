/* Creates a plan: from the caller's options to a cpuset for every thread. */
#include <stdlib.h>

#include "device.h"
#include "failure.h"
#include "options.h"
#include "plan.h"
#include "policies/registry.h"
#include "sequence.h"

/* Number of threads of role `r` with CW_COUNT_DEFAULT; see cw_thread_plan_options_t.roles. */
static size_t default_count(const struct cw_settings* settings, size_t r, size_t n_all) {
  const size_t n_service = n_all < 16 ? 1 : n_all / 8;
  if (settings->roles[r].duty == CW_DUTY_NETWORK) return 1;
  if (settings->roles[r].duty == CW_DUTY_SERVICE) return n_service;
  size_t taken = 0, n_sharing = 0, before = 0;
  for (size_t i = 0; i < settings->n_roles; ++i) {
    const cw_role_t* role = &settings->roles[i];
    if (role->count != CW_COUNT_DEFAULT) {
      taken += (size_t)role->count;
    } else if (role->duty == CW_DUTY_COMPUTE) {
      ++n_sharing;
      before += i < r;
    } else {
      taken += role->duty == CW_DUTY_NETWORK ? 1 : n_service;
    }
  }
  const size_t left = n_all > taken ? n_all - taken : 0;
  const size_t count = left / n_sharing + (before < left % n_sharing);
  return count > 0 ? count : 1;
}

static cw_status_t plan_roles(struct cw_thread_plan* plan, const struct cw_settings* settings) {
  const size_t n_all = plan->policy->counts_cores ? plan->machine.n_cores : plan->machine.n_pus;
  plan->roles = calloc(settings->n_roles + 1, sizeof *plan->roles);
  if (plan->roles == NULL) return CW_ERR_NO_MEMORY;
  for (size_t r = 0; r < settings->n_roles; ++r) {
    const cw_role_t* asked = &settings->roles[r];
    struct cw_planned_role* role = &plan->roles[r];
    role->name = strdup(asked->name);
    if (role->name == NULL) return CW_ERR_NO_MEMORY;
    ++plan->n_roles;
    role->duty = asked->duty;
    role->by_default = asked->count == CW_COUNT_DEFAULT;
    role->count = role->by_default ? default_count(settings, r, n_all) : (size_t)asked->count;
    role->first_thread = plan->n_threads;
    plan->n_threads += role->count;
  }
  return CW_OK;
}

static cw_status_t allocate_threads(struct cw_thread_plan* plan) {
  plan->threads = calloc(plan->n_threads + 1, sizeof *plan->threads);
  if (plan->threads == NULL) return CW_ERR_NO_MEMORY;
  for (size_t t = 0; t < plan->n_threads; ++t) {
    plan->threads[t].cpuset = hwloc_bitmap_alloc();
    if (plan->threads[t].cpuset == NULL) return CW_ERR_NO_MEMORY;
  }
  return CW_OK;
}

static cw_status_t plan_memory(struct cw_thread_plan* plan) {
  for (size_t t = 0; plan->local_memory && t < plan->n_threads; ++t) {
    struct cw_planned_thread* thread = &plan->threads[t];
    thread->nodeset = hwloc_bitmap_alloc();
    if (thread->nodeset == NULL) return CW_ERR_NO_MEMORY;
    hwloc_cpuset_to_nodeset(plan->machine.topology, thread->cpuset, thread->nodeset);
  }
  return CW_OK;
}

static void add_notes(struct cw_thread_plan* plan) {
  const struct cw_machine* machine = &plan->machine;
  if (plan->local_size > 1)
    cw_text_add(&plan->notes, "rank %u of %u on this node: its part of the shared mask\n", plan->local_rank,
                plan->local_size);
  if (plan->policy->order == NULL) return;
  if (plan->n_threads > machine->n_pus)
    cw_text_add(&plan->notes, "%zu threads share %zu PUs\n", plan->n_threads, machine->n_pus);
  else if (plan->n_threads > machine->n_cores)
    cw_text_add(&plan->notes, "%zu threads on %zu cores: each has its own PU, some share a core\n",
                plan->n_threads, machine->n_cores);
  if (machine->device == NULL)
    cw_text_add(&plan->notes, "no physical network card is known: the first core is used\n");
}

static cw_status_t fill(struct cw_thread_plan* plan, const struct cw_settings* settings) {
  const cw_thread_plan_options_t* options = &settings->options;
  plan->policy = cw_policy_find(options->policy);
  plan->stride = options->stride == 0 ? 1 : options->stride;
  plan->local_rank = options->local_rank;
  plan->local_size = options->local_size;
  plan->local_memory = options->memory == CW_MEMORY_LOCAL;
  cw_status_t status = cw_machine_load(options, &plan->machine);
  const cw_status_t no_device = settings->near == NULL ? CW_ERR_ARGUMENT : CW_ERR_OVERRIDE;
  if (status == CW_OK) status = cw_machine_find_device(options, no_device, &plan->machine);
  if (status == CW_OK) status = plan_roles(plan, settings);
  if (status == CW_OK) status = cw_machine_find_places(&plan->machine, plan->n_threads);
  if (status == CW_OK) status = allocate_threads(plan);
  if (status != CW_OK) return status;
  if (plan->policy->bind != NULL)
    plan->policy->bind(plan);
  else if (!cw_bind_in_order(plan))
    return CW_ERR_NO_MEMORY;
  add_notes(plan);
  return plan->notes.failed ? CW_ERR_NO_MEMORY : plan_memory(plan);
}

cw_status_t cw_thread_plan_create(const cw_thread_plan_options_t* options, cw_thread_plan_t** plan_p) {
  struct cw_settings settings;
  struct cw_thread_plan* plan = calloc(1, sizeof *plan);
  if (plan == NULL) return CW_ERR_NO_MEMORY;
  cw_status_t status = cw_options_resolve(options, &settings);
  if (status == CW_OK) status = fill(plan, &settings);
  if (status == CW_ERR_NO_MEMORY) cw_fail(&settings.options, status, "out of memory");
  cw_settings_destroy(&settings);
  if (status == CW_OK)
    *plan_p = plan;
  else
    cw_thread_plan_destroy(plan);
  return status;
}
