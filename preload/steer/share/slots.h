/* What each rank of a node tells the others, in shared memory without locks: a slot for each, written by its
 * rank alone and read by any at any time. */
#ifndef COREWISE_STEER_SLOTS_H
#define COREWISE_STEER_SLOTS_H

#include <stdatomic.h>
#include <stdbool.h>

#include "snapshot.h"

/* A rank's part of one interval. */
struct cw_slot_content {
  int64_t number; /* of the interval, from 1 */
  int64_t n_peers;
  struct cw_rank_sample rank;
  struct cw_peer_sample peers[CW_STEER_MOST_PEERS];
};

enum { CW_SLOT_WORDS = sizeof(struct cw_slot_content) / sizeof(uint64_t) };
_Static_assert(sizeof(struct cw_slot_content) % sizeof(uint64_t) == 0, "a content is whole words");

/* `sequence` is odd while the content is written; both are multiples of cache lines apart from other slots.
 */
struct cw_slot {
  _Alignas(64) _Atomic uint32_t sequence;
  _Atomic uint64_t words[CW_SLOT_WORDS];
};

/* Writes the content. By the slot's own rank alone, one thread at a time. */
void cw_slot_write(struct cw_slot* slot, const struct cw_slot_content* content);

/* Reads a content that was written whole. False: nothing was written yet, or its writer was at it each time,
 * or ended in the middle; `content` is as it was. Never waits. */
bool cw_slot_read(struct cw_slot* slot, struct cw_slot_content* content);

#endif
