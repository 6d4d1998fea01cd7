/* Making a plan, asking it, and the words of its statuses. */
#include "plan.h"

#include <stdio.h>
#include <stdlib.h>

const char* cw_status_string(cw_status_t status) {
  switch (status) {
    case CW_OK:
      return "fine";
    case CW_ERR_ARGUMENT:
      return "an argument or option is wrong";
    case CW_ERR_TOPOLOGY:
      return "hwloc could not read the topology";
    case CW_ERR_OVERRIDE:
      return "the overrides have an error";
    case CW_ERR_RANGE:
      return "no such thread, role or policy";
    case CW_ERR_FOREIGN:
      return "the plan is of another machine than this one";
    case CW_ERR_SYSTEM:
      return "the operating system refused";
    case CW_ERR_DIFFERS:
      return "a thread is bound otherwise than planned";
    case CW_ERR_NO_MEMORY:
      return "out of memory";
  }
  return "unknown status";
}

cw_status_t cw_fail(const cw_thread_plan_options_t* options, cw_status_t status, const char* format, ...) {
  if (options->message != NULL && options->message_size > 0) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(options->message, options->message_size, format, arguments);
    va_end(arguments);
  }
  return status;
}

/* Threads of role `r` when its count is left to the plan; see cw_thread_plan_options_t.roles. */
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

/* What a reader of the plan should know beyond the table. */
static void note(struct cw_thread_plan* plan) {
  const struct cw_machine* machine = &plan->machine;
  if (plan->local_size > 1)
    cw_text_add(&plan->notes, "rank %u of %u on this node: its part of the shared mask\n", plan->local_rank,
                plan->local_size);
  if (plan->policy->order == NULL) return;
  if (plan->n_threads > machine->n_pus)
    cw_text_add(&plan->notes, "%zu threads share %zu PUs\n", plan->n_threads, machine->n_pus);
  else if (plan->n_threads > machine->n_cores)
    cw_text_add(&plan->notes, "%zu threads on %zu cores: each has a PU of its own, some share a core\n",
                plan->n_threads, machine->n_cores);
  if (machine->nic == NULL)
    cw_text_add(&plan->notes, "no physical network card is known: the first core stands in\n");
}

static cw_status_t fill(struct cw_thread_plan* plan, const struct cw_settings* settings) {
  const cw_thread_plan_options_t* options = &settings->options;
  plan->policy = cw_policy_find(options->policy);
  plan->stride = options->stride == 0 ? 1 : options->stride;
  plan->local_rank = options->local_rank;
  plan->local_size = options->local_size;
  plan->local_memory = options->memory == CW_MEMORY_LOCAL;
  cw_status_t status = cw_machine_load(options, &plan->machine);
  if (status == CW_OK) status = plan_roles(plan, settings);
  if (status == CW_OK) status = cw_machine_find_places(&plan->machine, plan->n_threads);
  if (status == CW_OK) status = allocate_threads(plan);
  if (status != CW_OK) return status;
  if (plan->policy->bind != NULL)
    plan->policy->bind(plan);
  else if (!cw_bind_in_order(plan))
    return CW_ERR_NO_MEMORY;
  note(plan);
  return plan->notes.failed ? CW_ERR_NO_MEMORY : plan_memory(plan);
}

cw_status_t cw_thread_plan_create(const cw_thread_plan_options_t* options, cw_thread_plan_t** plan_p) {
  struct cw_settings settings;
  struct cw_thread_plan* plan = calloc(1, sizeof *plan);
  if (plan == NULL) return CW_ERR_NO_MEMORY;
  cw_status_t status = cw_settings_create(options, &settings);
  if (status == CW_OK) status = fill(plan, &settings);
  if (status == CW_ERR_NO_MEMORY) cw_fail(&settings.options, status, "out of memory");
  cw_settings_destroy(&settings);
  if (status == CW_OK)
    *plan_p = plan;
  else
    cw_thread_plan_destroy(plan);
  return status;
}

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
