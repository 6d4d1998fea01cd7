// Synthetic ranks for tests of targets.
#include "targets_in_c.h"

#include <stdlib.h>

#include "live/targets.h"

struct made_ranks {
  struct cw_node_slots slots;
  struct cw_observations observations;
  struct cw_targets targets;
};

struct made_ranks* made_ranks_new(const struct cw_steering* steering) {
  struct made_ranks* ranks = NULL;
  const size_t bytes = (sizeof *ranks + 63) / 64 * 64;  // each slot has its own cache lines
  ranks = aligned_alloc(64, bytes);
  if (ranks == NULL) return NULL;
  *ranks = (struct made_ranks){.observations = {.steering = steering, .slots = &ranks->slots}};
  atomic_store(&ranks->slots.n_taken, 3);
  for (int slot = 0; slot < 3; ++slot) {
    ranks->observations.ranks[slot].known = true;
    ranks->observations.ranks[slot].core = slot;
    ranks->observations.ranks[slot].content.rank.id = slot;
  }
  ranks->observations.ranks[0].content.n_peers = 1;
  ranks->observations.ranks[0].content.peers[0] = (struct cw_peer_sample){.rank = 0, .peer = 2, .bytes = 500};
  return ranks;
}

void made_ranks_exchange(struct made_ranks* ranks, const char* prefix, int64_t now_ns,
                         struct cw_snapshot* snapshot) {
  cw_targets_exchange(&ranks->targets, &ranks->observations, prefix, now_ns, snapshot);
}
