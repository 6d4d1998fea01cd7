/* The lease of the journal, and the word of a swap. */
#define _GNU_SOURCE
#include "journal_file.h"

#include <stddef.h>
#include <time.h>

enum { LEASE_SLOT_BITS = 12, SLOT_BITS = 10 };
_Static_assert(CW_MOST_STEERED == 1 << SLOT_BITS, "four slots, two bits and a number are a word");
#define SLOT_MASK (CW_MOST_STEERED - 1u)

static uint64_t now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static bool may_be_taken(const struct cw_journal* journal, uint64_t lease) {
  if (lease == 0 || now_ms() > lease >> LEASE_SLOT_BITS) return true;
  const uint64_t slot = (lease & ((1u << LEASE_SLOT_BITS) - 1)) - 1;
  return slot >= CW_MOST_STEERED || !cw_process_lives(&journal->file->parties[slot].process);
}

uint64_t cw_journal_take(struct cw_journal* journal) {
  uint64_t seen = atomic_load(&journal->file->lease);
  if (!may_be_taken(journal, seen)) return 0;
  const uint64_t end_ms = now_ms() + (uint64_t)journal->lease_ms;
  const uint64_t mine = end_ms << LEASE_SLOT_BITS | (uint64_t)(journal->slot + 1);
  return mine != seen && atomic_compare_exchange_strong(&journal->file->lease, &seen, mine) ? mine : 0;
}

bool cw_journal_holds(const struct cw_journal* journal, uint64_t lease) {
  return atomic_load(&journal->file->lease) == lease;
}

void cw_journal_release(struct cw_journal* journal, uint64_t lease) {
  atomic_compare_exchange_strong(&journal->file->lease, &lease, 0);
}

uint64_t cw_journal_pack(const struct cw_journal_swap* swap) {
  uint64_t word = swap->number % CW_JOURNAL_NUMBERS;
  word = word << 2 | swap->phase;
  word = word << SLOT_BITS | swap->slot_a;
  word = word << SLOT_BITS | swap->slot_b;
  word = word << SLOT_BITS | swap->home_a;
  return word << SLOT_BITS | swap->home_b;
}

struct cw_journal_swap cw_journal_unpack(uint64_t word) {
  return (struct cw_journal_swap){
      .number = (uint32_t)(word >> (4 * SLOT_BITS + 2)),
      .phase = (uint32_t)(word >> 4 * SLOT_BITS) & 3,
      .slot_a = (uint32_t)(word >> 3 * SLOT_BITS) & SLOT_MASK,
      .slot_b = (uint32_t)(word >> 2 * SLOT_BITS) & SLOT_MASK,
      .home_a = (uint32_t)(word >> SLOT_BITS) & SLOT_MASK,
      .home_b = (uint32_t)word & SLOT_MASK,
  };
}
