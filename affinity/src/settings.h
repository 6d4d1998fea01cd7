/* The settings of one plan: the caller's options with every default filled in. */
#ifndef CW_AFFINITY_SETTINGS_H
#define CW_AFFINITY_SETTINGS_H

#include "corewise/affinity.h"

struct cw_settings {
  cw_thread_plan_options_t options; /* except its roles: use the next two fields */
  cw_role_t* roles;
  size_t n_roles;
  /* Storage for values from the overrides, to which `options` points; NULL: not set there. */
  hwloc_bitmap_t mask;
  char* policy;
  char* near;
};

/* Copies the options and fills in the defaults, without checks. Returns CW_OK or CW_ERR_NO_MEMORY. */
cw_status_t cw_settings_create(const cw_thread_plan_options_t* options, struct cw_settings* settings);

/* Call it after a failed create, too. */
void cw_settings_destroy(struct cw_settings* settings);

#endif
