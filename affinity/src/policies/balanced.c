/* Policy balanced: as topology, but the helpers are spread over the L3 caches in proportion to their cores,
 * so that workers share an L3 with a helper. */
#include <stdlib.h>

#include "policies.h"

/* The L3 of a place; without an L3 its package, else the machine. */
static hwloc_obj_t group_of(const struct cw_machine* machine, size_t place) {
  const hwloc_obj_type_t types[] = {HWLOC_OBJ_L3CACHE, HWLOC_OBJ_PACKAGE};
  for (size_t i = 0; i < 2; ++i) {
    const hwloc_obj_t group =
        hwloc_get_ancestor_obj_by_type(machine->topology, types[i], machine->places[place].object);
    if (group != NULL) return group;
  }
  return hwloc_get_root_obj(machine->topology);
}

bool cw_order_balanced(const struct cw_thread_plan* plan, const struct cw_shares* shares, size_t* sequence) {
  const struct cw_machine* machine = &plan->machine;
  cw_order_by_nearness(machine, machine->near_place, sequence);
  const struct cw_range helpers = shares->of[CW_DUTY_SERVICE], workers = shares->of[CW_DUTY_COMPUTE];
  const bool apart = workers.first == helpers.first + helpers.n;
  if (!apart || helpers.n == 0 || workers.n == 0) return true;

  const size_t n = helpers.n + workers.n;
  size_t* mixed = sequence + helpers.first;
  size_t* sorted = malloc(n * sizeof *sorted);
  if (sorted == NULL) return false;
  size_t helper = 0, worker = helpers.n;
  for (size_t start = 0; start < n;) {
    size_t end = start + 1;
    while (end < n && group_of(machine, mixed[end]) == group_of(machine, mixed[start])) ++end;
    /* Helpers due by the end of this group: in proportion, rounded up. The first group gets a helper, and
     * after the last group every helper has a place. */
    const size_t due = (end * helpers.n + n - 1) / n;
    for (size_t i = start; i < end; ++i) {
      if (helper < due)
        sorted[helper++] = mixed[i];
      else
        sorted[worker++] = mixed[i];
    }
    start = end;
  }
  memcpy(mixed, sorted, n * sizeof *sorted);
  free(sorted);
  return true;
}
