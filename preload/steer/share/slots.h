/* The slots in which the ranks of a node share their counters, without locks. Each slot is written by its
 * rank, and read by any rank at any time. */
#ifndef COREWISE_STEER_SLOTS_H
#define COREWISE_STEER_SLOTS_H

#include <stdatomic.h>
#include <stdbool.h>

#include "snapshot.h"

/* What a rank publishes. */
struct cw_slot_content {
  int64_t number; /* increases by 1 with each write, from 1 */
  int64_t n_peers;
  struct cw_rank_sample rank;
  struct cw_peer_sample peers[CW_STEER_MOST_PEERS];
};

enum { CW_SLOT_WORDS = sizeof(struct cw_slot_content) / sizeof(uint64_t) };
_Static_assert(sizeof(struct cw_slot_content) % sizeof(uint64_t) == 0, "a content is whole words");

/* A seqlock: `sequence` is odd while the words are being written. Aligned, so that slots don't share cache
 * lines. */
struct cw_slot {
  _Alignas(64) _Atomic uint32_t sequence;
  _Atomic uint64_t words[CW_SLOT_WORDS];
};

/* Only the slot's rank may call this, from one thread at a time. */
void cw_slot_write(struct cw_slot* slot, const struct cw_slot_content* content);

/* Reads the content of one write. False, and `content` is unchanged: nothing was written yet, a writer
 * interfered with each attempt, or was killed while writing. Never waits. */
bool cw_slot_read(struct cw_slot* slot, struct cw_slot_content* content);

#endif
