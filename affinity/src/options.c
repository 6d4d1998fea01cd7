/* Checks the caller's options, then applies the overrides. */
#include "options.h"

#include <ctype.h>
#include <stdbool.h>

#include "failure.h"
#include "override.h"
#include "policies/registry.h"

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
  const cw_status_t status = cw_policy_check(options, options->policy, CW_ERR_ARGUMENT);
  if (status != CW_OK) return status;
  if ((unsigned)options->memory > CW_MEMORY_LOCAL)
    return cw_fail(options, CW_ERR_ARGUMENT, "memory is %d; there are 0 and 1", (int)options->memory);
  return check_roles(options, settings->roles, settings->n_roles);
}

cw_status_t cw_options_resolve(const cw_thread_plan_options_t* options, struct cw_settings* settings) {
  cw_status_t status = cw_settings_create(options, settings);
  if (status == CW_OK) status = check(settings);
  if (status != CW_OK || settings->options.overrides == NULL) return status;
  return cw_override_parse(settings->options.overrides, settings);
}
