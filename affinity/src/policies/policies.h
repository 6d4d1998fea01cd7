/* The functions of the thread policies: cw_bind_* for cw_policy.bind, cw_order_* for cw_policy.order. */
#ifndef CW_AFFINITY_POLICIES_H
#define CW_AFFINITY_POLICIES_H

#include "plan.h"
#include "sequence.h"

void cw_bind_default(struct cw_thread_plan* plan);
void cw_bind_pin(struct cw_thread_plan* plan);
void cw_bind_singlified(struct cw_thread_plan* plan);

bool cw_order_balanced(const struct cw_thread_plan* plan, const struct cw_shares* shares, size_t* sequence);
bool cw_order_hybrid(const struct cw_thread_plan* plan, const struct cw_shares* shares, size_t* sequence);
bool cw_order_topology(const struct cw_thread_plan* plan, const struct cw_shares* shares, size_t* sequence);

#endif
