/* Sequence-locked slots: the writer never waits, a reader takes a content only if it did not change
 * meanwhile. */
#include "slots.h"

#include <string.h>

enum { MOST_TRIES = 4 };

/* Words are stored with release and loaded with acquire order: whoever loads a word of a later write then
 * also sees that write's odd sequence. Fences would do with fewer, but ThreadSanitizer does not know them,
 * and on x86 they cost the same. */
void cw_slot_write(struct cw_slot* slot, const struct cw_slot_content* content) {
  uint64_t words[CW_SLOT_WORDS];
  memcpy(words, content, sizeof words);
  const uint32_t sequence = atomic_load_explicit(&slot->sequence, memory_order_relaxed);
  /* Odd already where a writer before was killed in the middle: then it stays odd until the end. */
  atomic_store_explicit(&slot->sequence, sequence | 1, memory_order_relaxed);
  for (int i = 0; i < CW_SLOT_WORDS; ++i)
    atomic_store_explicit(&slot->words[i], words[i], memory_order_release);
  atomic_store_explicit(&slot->sequence, (sequence | 1) + 1, memory_order_release);
}

static bool try_read(struct cw_slot* slot, uint64_t* words) {
  const uint32_t before = atomic_load_explicit(&slot->sequence, memory_order_acquire);
  if (before == 0 || before % 2 == 1) return false;
  for (int i = 0; i < CW_SLOT_WORDS; ++i)
    words[i] = atomic_load_explicit(&slot->words[i], memory_order_acquire);
  return atomic_load_explicit(&slot->sequence, memory_order_relaxed) == before;
}

bool cw_slot_read(struct cw_slot* slot, struct cw_slot_content* content) {
  uint64_t words[CW_SLOT_WORDS];
  for (int i = 0; i < MOST_TRIES; ++i) {
    if (!try_read(slot, words)) continue;
    memcpy(content, words, sizeof *content);
    return true;
  }
  return false;
}
