/* The settings of one plan: the caller's options with every default filled in. */
#ifndef CW_AFFINITY_SETTINGS_H
#define CW_AFFINITY_SETTINGS_H

#include "corewise/affinity.h"

struct cw_settings {
  cw_thread_plan_options_t options; /* `roles` aside: those are below */
  cw_role_t* roles;
  size_t n_roles;
  hwloc_bitmap_t mask; /* from the overrides; NULL: none */
  char* policy;        /* from the overrides; NULL: none */
  char* near;          /* from the overrides; NULL: none */
};

/* Copies the options and fills in the defaults; nothing is checked. CW_OK or CW_ERR_NO_MEMORY. */
cw_status_t cw_settings_create(const cw_thread_plan_options_t* options, struct cw_settings* settings);

/* Also after a failed create. */
void cw_settings_destroy(struct cw_settings* settings);

#endif
