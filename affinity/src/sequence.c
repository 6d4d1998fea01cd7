/* Orders places by distance in the tree and divides the sequence among the duties. */
#include "sequence.h"

#include <stdlib.h>

#include "policies/policy.h"

void cw_order_by_nearness(const struct cw_machine* machine, size_t start, size_t* sequence) {
  size_t n = 0;
  sequence[n++] = start;
  for (hwloc_obj_t near = machine->places[start].object; near != NULL; near = near->parent) {
    for (size_t step = 1; step < machine->n_places; ++step) {
      const size_t i = (start + step) % machine->n_places;
      const hwloc_obj_t common = hwloc_get_common_ancestor_obj(
          machine->topology, machine->places[start].object, machine->places[i].object);
      if (common == near) sequence[n++] = i;
    }
  }
}

/* Divides a range of places between n_a and n_b threads. If places suffice, each thread gets one; otherwise
 * the range is divided in proportion. Both groups get the whole range if it has only one place. */
static void split(struct cw_range range, size_t n_a, size_t n_b, struct cw_range* a, struct cw_range* b) {
  if (range.n == 1 && n_a > 0 && n_b > 0) {
    *a = *b = range;
    return;
  }
  size_t part = n_a;
  if (n_a + n_b > range.n) {
    part = range.n * n_a / (n_a + n_b);
    if (part == 0 && n_a > 0) part = 1;
  }
  const size_t rest = range.n - part;
  *a = (struct cw_range){range.first, part};
  *b = (struct cw_range){range.first + part, rest < n_b ? rest : n_b};
}

static size_t threads_of(const struct cw_thread_plan* plan, cw_duty_t duty) {
  size_t n = 0;
  for (size_t r = 0; r < plan->n_roles; ++r) n += plan->roles[r].duty == duty ? plan->roles[r].count : 0;
  return n;
}

/* Ranges of a sequence for network, service and compute threads, in this order. If places are scarce, network
 * and service threads are the first to share a place. */
static struct cw_shares shares_of(const struct cw_thread_plan* plan) {
  const size_t n_network = threads_of(plan, CW_DUTY_NETWORK), n_service = threads_of(plan, CW_DUTY_SERVICE),
               n_compute = threads_of(plan, CW_DUTY_COMPUTE);
  struct cw_shares shares;
  struct cw_range served;
  split((struct cw_range){0, plan->machine.n_places}, n_network + n_service, n_compute, &served,
        &shares.of[CW_DUTY_COMPUTE]);
  split(served, n_network, n_service, &shares.of[CW_DUTY_NETWORK], &shares.of[CW_DUTY_SERVICE]);
  return shares;
}

bool cw_bind_in_order(struct cw_thread_plan* plan) {
  const struct cw_shares shares = shares_of(plan);
  size_t* sequence = malloc(plan->machine.n_places * sizeof *sequence);
  if (sequence == NULL || !plan->policy->order(plan, &shares, sequence)) {
    free(sequence);
    return false;
  }
  size_t done[3] = {0, 0, 0};
  for (size_t r = 0; r < plan->n_roles; ++r) {
    const struct cw_planned_role* role = &plan->roles[r];
    const struct cw_range share = shares.of[role->duty];
    const size_t n = threads_of(plan, role->duty);
    for (size_t i = 0; i < role->count; ++i) {
      /* If threads share places, consecutive threads do. */
      const size_t position = share.first + done[role->duty]++ * share.n / n;
      hwloc_bitmap_copy(plan->threads[role->first_thread + i].cpuset,
                        plan->machine.places[sequence[position]].pus);
    }
  }
  free(sequence);
  return true;
}
