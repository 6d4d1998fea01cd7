/* Policy hybrid, for machines with faster and slower cores: network and service threads get slower cores,
 * nearest the network card first; workers get the faster cores. With one kind of core, as policy topology. */
#include <stdlib.h>

#include "policies.h"

bool cw_order_hybrid(const struct cw_thread_plan* plan, const struct cw_shares* shares, size_t* sequence) {
  const struct cw_machine* machine = &plan->machine;
  cw_order_by_nearness(machine, machine->near_place, sequence);
  int fastest = machine->places[0].efficiency;
  for (size_t i = 1; i < machine->n_places; ++i) {
    if (machine->places[i].efficiency > fastest) fastest = machine->places[i].efficiency;
  }

  const size_t n_served = shares->of[CW_DUTY_COMPUTE].first;
  size_t* slow = malloc(machine->n_places * sizeof *slow);
  if (slow == NULL) return false;
  size_t n_fast = 0, n_slow = 0;
  for (size_t i = 0; i < machine->n_places; ++i) {
    if (machine->places[sequence[i]].efficiency < fastest)
      slow[n_slow++] = sequence[i];
    else
      sequence[n_fast++] = sequence[i];
  }
  /* Slow places for network and service threads, then the fast places, then the remaining slow ones. */
  const size_t n_first = n_slow < n_served ? n_slow : n_served;
  memmove(sequence + n_first, sequence, n_fast * sizeof *sequence);
  memcpy(sequence, slow, n_first * sizeof *slow);
  memcpy(sequence + n_first + n_fast, slow + n_first, (n_slow - n_first) * sizeof *slow);
  free(slow);
  return true;
}
