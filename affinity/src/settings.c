/* Fills in the defaults of the caller's options. */
#include "settings.h"

#include <stdbool.h>
#include <stdlib.h>

static const cw_role_t DEFAULT_ROLES[] = {
    {"worker", CW_DUTY_COMPUTE, CW_COUNT_DEFAULT},
    {"helper", CW_DUTY_SERVICE, CW_COUNT_DEFAULT},
    {"comm_server", CW_DUTY_NETWORK, CW_COUNT_DEFAULT},
};

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
  /* A caller compiled with an older header passes fewer fields. The missing fields stay 0, their default. */
  const size_t known = sizeof settings->options;
  memcpy(&settings->options, options, options->size < known ? options->size : known);
  if (!copy_roles(settings)) return CW_ERR_NO_MEMORY;
  if (settings->options.policy == NULL) settings->options.policy = "topology";
  return CW_OK;
}

void cw_settings_destroy(struct cw_settings* settings) {
  free(settings->roles);
  free(settings->policy);
  free(settings->near);
  hwloc_bitmap_free(settings->mask);
}
