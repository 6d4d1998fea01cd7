/* See journal_file.h. */
#include "journal_file.h"

enum { SLOT_BITS = 10 };
_Static_assert(CW_MOST_STEERED == 1 << SLOT_BITS, "four slots, two bits and a number are a word");
#define SLOT_MASK (CW_MOST_STEERED - 1u)

bool cw_journal_was_entered(const struct cw_journal* journal, int slot) {
  return atomic_load(&journal->file->parties[slot].start) != 0;
}

struct cw_pu_mask cw_journal_mask(const struct cw_journal* journal, int slot) {
  struct cw_pu_mask mask;
  for (int i = 0; i < CW_MASK_WORDS; ++i) mask.word[i] = atomic_load(&journal->file->parties[slot].mask[i]);
  return mask;
}

void cw_journal_write_own(struct cw_journal* journal, int slot, const struct cw_own_masks* own) {
  struct cw_journal_party* party = &journal->file->parties[slot];
  for (int32_t i = 0; i < own->n; ++i) {
    atomic_store(&party->own[i].thread, own->at[i].thread);
    atomic_store(&party->own[i].places, own->at[i].places);
  }
  atomic_store(&party->n_own, own->n);
}

struct cw_belonging cw_journal_belonging(const struct cw_journal* journal, int slot,
                                         const struct cw_pu_mask* home) {
  struct cw_journal_party* party = &journal->file->parties[slot];
  struct cw_belonging belonging = {.home = *home, .own = {.n = atomic_load(&party->n_own)}};
  for (int32_t i = 0; i < belonging.own.n; ++i) {
    belonging.own.at[i].thread = atomic_load(&party->own[i].thread);
    belonging.own.at[i].places = atomic_load(&party->own[i].places);
  }
  return belonging;
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
