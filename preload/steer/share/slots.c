/* See slots.h. */
#include "slots.h"

#include <string.h>

enum { MOST_TRIES = 4 };

/* Words are stored with release order and loaded with acquire order: a reader that sees a word of a newer
 * write also sees the odd sequence number of that write. Fences would need fewer ordered operations, but
 * ThreadSanitizer does not know fences, and on x86 the cost is the same. */
void cw_slot_write(struct cw_slot* slot, const struct cw_slot_content* content) {
  uint64_t from[CW_SLOT_WORDS];
  memcpy(from, content, sizeof from);
  const uint32_t before = atomic_load_explicit(&slot->sequence, memory_order_relaxed);
  /* If an earlier writer was killed while writing, the number is odd already. */
  atomic_store_explicit(&slot->sequence, before | 1, memory_order_relaxed);
  for (int i = 0; i < CW_SLOT_WORDS; ++i)
    atomic_store_explicit(&slot->words[i], from[i], memory_order_release);
  atomic_store_explicit(&slot->sequence, (before | 1) + 1, memory_order_release);
}

static bool try_read(struct cw_slot* slot, uint64_t* to) {
  const uint32_t before = atomic_load_explicit(&slot->sequence, memory_order_acquire);
  if (before == 0 || before % 2 == 1) return false;
  for (int i = 0; i < CW_SLOT_WORDS; ++i) to[i] = atomic_load_explicit(&slot->words[i], memory_order_acquire);
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
