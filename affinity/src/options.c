/* The caller's options: their defaults, their checks, and the overrides on top. */
#include <ctype.h>
#include <stdlib.h>

#include "plan.h"

static const cw_role_t DEFAULT_ROLES[] = {
    {"worker", CW_DUTY_COMPUTE, CW_COUNT_DEFAULT},
    {"helper", CW_DUTY_SERVICE, CW_COUNT_DEFAULT},
    {"comm_server", CW_DUTY_NETWORK, CW_COUNT_DEFAULT},
};
enum { MOST_THREADS = 65536 };

static bool is_name(const char* name) {
  if (name == NULL || *name == 0) return false;
  for (; *name != 0; ++name) {
    if (!isalnum((unsigned char)*name) && *name != '_') return false;
  }
  return true;
}

static cw_status_t check_roles(const cw_thread_plan_options_t* options, const cw_role_t* roles,
                               size_t n_roles) {
  for (size_t r = 0; r < n_roles; ++r) {
    const cw_role_t* role = &roles[r];
    if (!is_name(role->name) || cw_is_setting(role->name))
      return cw_fail(options, CW_ERR_ARGUMENT,
                     "role %zu is named '%s'; a name has letters, digits and _, and is no setting", r,
                     role->name == NULL ? "" : role->name);
    for (size_t before = 0; before < r; ++before) {
      if (strcmp(roles[before].name, role->name) == 0)
        return cw_fail(options, CW_ERR_ARGUMENT, "two roles are named '%s'; names are unique", role->name);
    }
    if ((unsigned)role->duty > CW_DUTY_NETWORK)
      return cw_fail(options, CW_ERR_ARGUMENT, "role '%s' has duty %d; there are 0 to 2", role->name,
                     (int)role->duty);
    if (role->count < CW_COUNT_DEFAULT || role->count > MOST_THREADS)
      return cw_fail(options, CW_ERR_ARGUMENT,
                     "role '%s' has %d threads; 0 to %d, or CW_COUNT_DEFAULT, are valid", role->name,
                     role->count, MOST_THREADS);
  }
  return CW_OK;
}

cw_status_t cw_fail_policy(const cw_thread_plan_options_t* options, cw_status_t status, const char* name) {
  struct cw_text names = {0};
  for (size_t i = 0; cw_policy_name(i) != NULL; ++i)
    cw_text_add(&names, "%s%s", i == 0 ? "" : ", ", cw_policy_name(i));
  cw_fail(options, status, "there is no policy '%s'; there are %s", name,
          names.failed ? "others" : names.data);
  cw_text_free(&names);
  return status;
}

static cw_status_t check(const struct cw_settings* settings) {
  const cw_thread_plan_options_t* options = &settings->options;
  const int n_machines =
      (options->topology != NULL) + (options->xml_path != NULL) + (options->synthetic != NULL);
  if (n_machines > 1)
    return cw_fail(options, CW_ERR_ARGUMENT,
                   "%d of topology, xml_path and synthetic are set; at most one may be", n_machines);
  if (options->local_size != 0 && options->local_rank >= options->local_size)
    return cw_fail(options, CW_ERR_ARGUMENT, "local_rank is %u of %u; ranks count from 0",
                   options->local_rank, options->local_size);
  if (cw_policy_find(options->policy) == NULL)
    return cw_fail_policy(options, CW_ERR_ARGUMENT, options->policy);
  if ((unsigned)options->memory > CW_MEMORY_LOCAL)
    return cw_fail(options, CW_ERR_ARGUMENT, "memory is %d; there are 0 and 1", (int)options->memory);
  return check_roles(options, settings->roles, settings->n_roles);
}

static bool copy_roles(struct cw_settings* settings) {
  const cw_thread_plan_options_t* options = &settings->options;
  const bool by_default = options->roles == NULL;
  settings->n_roles = by_default ? sizeof DEFAULT_ROLES / sizeof DEFAULT_ROLES[0] : options->n_roles;
  settings->roles = calloc(settings->n_roles + 1, sizeof *settings->roles);
  if (settings->roles == NULL) return false;
  const cw_role_t* roles = by_default ? DEFAULT_ROLES : options->roles;
  if (settings->n_roles > 0) memcpy(settings->roles, roles, settings->n_roles * sizeof *roles);
  return true;
}

cw_status_t cw_settings_create(const cw_thread_plan_options_t* options, struct cw_settings* settings) {
  *settings = (struct cw_settings){0};
  /* A caller compiled with an older header sends fewer fields; the others are 0, their default. */
  const size_t known = sizeof settings->options;
  memcpy(&settings->options, options, options->size < known ? options->size : known);
  if (!copy_roles(settings)) return CW_ERR_NO_MEMORY;
  if (settings->options.policy == NULL) settings->options.policy = "topology";
  const cw_status_t status = check(settings);
  if (status != CW_OK || settings->options.overrides == NULL) return status;
  return cw_override_parse(settings->options.overrides, settings);
}

void cw_settings_destroy(struct cw_settings* settings) {
  free(settings->roles);
  free(settings->policy);
  hwloc_bitmap_free(settings->mask);
}
