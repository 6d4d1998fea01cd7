/* What every example begins with: a plan for some roles, as the environment overrides it. */
#ifndef MAKE_PLAN_H
#define MAKE_PLAN_H

#include <corewise/affinity.h>
#include <stdio.h>

/* Without roles: worker, helper, comm_server. NULL after saying on standard error why there is none. */
static inline cw_thread_plan_t* make_plan(const cw_role_t* roles, size_t n_roles) {
  char message[300] = "";
  cw_thread_plan_options_t options;
  cw_thread_plan_options_init(&options);
  options.roles = roles;
  options.n_roles = n_roles;
  options.overrides = cw_affinity_environment();
  options.message = message;
  options.message_size = sizeof message;
  cw_thread_plan_t* plan = NULL;
  const cw_status_t status = cw_thread_plan_create(&options, &plan);
  if (status != CW_OK) fprintf(stderr, "%s: %s\n", cw_status_string(status), message);
  return plan;
}

#endif
