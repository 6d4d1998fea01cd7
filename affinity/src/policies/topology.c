/* Policy topology: the paper's new_pin (Lavore et al., PEARC 2024, section 2). The comm_server is put on the
 * place nearest the network card, then helpers, then workers, each next to the one before: its L3, its NUMA
 * domain, its package are full before the next is entered. GMT's own takes PUs in OS order, which straddles
 * packages where OS indices interleave. */
#include "policies.h"

bool cw_order_topology(const struct cw_thread_plan* plan, const struct cw_shares* shares, size_t* sequence) {
  (void)shares;
  cw_order_by_nearness(&plan->machine, plan->machine.near_place, sequence);
  return true;
}
