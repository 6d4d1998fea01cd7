/* The register of thread policies, sorted by name. */
#include "registry.h"

#include "failure.h"
#include "policies.h"
#include "text.h"

static const struct cw_policy POLICIES[] = {
    {"balanced", NULL,
     "comm_server nearest the network card, helpers spread over the L3 groups of the workers", true, NULL,
     cw_order_balanced},
    {"default", NULL, "every thread inherits the mask of its process", false, cw_bind_default, NULL},
    {"hybrid", NULL,
     "comm_server and helpers on the slower kind of core, workers on the faster; else as topology", true,
     NULL, cw_order_hybrid},
    {"pin", NULL,
     "thread t on CPU (t * stride) % PUs of the machine, whatever the mask (GMT's legacy, for comparison)",
     false, cw_bind_pin, NULL},
    {"singlified", NULL, "every thread on the mask with one PU of each core", true, cw_bind_singlified, NULL},
    {"topology", "new_pin",
     "a core for each thread: comm_server nearest the network card, then helpers, then workers, side by side",
     true, NULL, cw_order_topology},
};
static const size_t N_POLICIES = sizeof POLICIES / sizeof POLICIES[0];

const struct cw_policy* cw_policy_find(const char* name) {
  for (size_t i = 0; i < N_POLICIES; ++i) {
    const struct cw_policy* policy = &POLICIES[i];
    if (strcmp(name, policy->name) == 0) return policy;
    if (policy->alias != NULL && strcmp(name, policy->alias) == 0) return policy;
  }
  return NULL;
}

const char* cw_policy_name(size_t policy) { return policy < N_POLICIES ? POLICIES[policy].name : NULL; }

const char* cw_policy_sentence(size_t policy) {
  return policy < N_POLICIES ? POLICIES[policy].sentence : NULL;
}

cw_status_t cw_policy_check(const cw_thread_plan_options_t* options, const char* name, cw_status_t status) {
  if (cw_policy_find(name) != NULL) return CW_OK;
  struct cw_text names = {0};
  for (size_t i = 0; i < N_POLICIES; ++i) cw_text_add(&names, "%s%s", i == 0 ? "" : ", ", POLICIES[i].name);
  cw_fail(options, status, "there is no policy '%s'; there are %s", name,
          names.failed ? "others" : names.data);
  cw_text_free(&names);
  return status;
}
