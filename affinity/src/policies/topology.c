/* Policy topology: "new_pin" of Lavore et al., PEARC 2024, section 2. The comm_server gets the place nearest
 * the network card. Helpers and then workers follow in order of distance from there, so that each L3, NUMA
 * domain and package is full before the next is used. The original new_pin in the runtime GMT takes PUs in OS
 * order; it alternates between packages if their OS indices do. */
#include "policies.h"

bool cw_order_topology(const struct cw_thread_plan* plan, const struct cw_shares* shares, size_t* sequence) {
  (void)shares;
  cw_order_by_nearness(&plan->machine, plan->machine.near_place, sequence);
  return true;
}
