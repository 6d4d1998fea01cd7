/* The register of thread policies. */
#ifndef CW_AFFINITY_REGISTRY_H
#define CW_AFFINITY_REGISTRY_H

#include "corewise/affinity.h"
#include "policy.h"

/* By name or alias; NULL if there is none. */
const struct cw_policy* cw_policy_find(const char* name);

/* Returns CW_OK if the policy exists; else `status`, with a message that lists all policies. */
cw_status_t cw_policy_check(const cw_thread_plan_options_t* options, const char* name, cw_status_t status);

#endif
