/* See sequence.h. */
#include "sequence.h"

enum { MOST_TRIES = 4 };

/* Words are stored with release order and loaded with acquire order: a reader that sees a word of a newer
 * write also sees the odd sequence number of that write. Fences would need fewer ordered operations, but
 * ThreadSanitizer does not know fences, and on x86 the cost is the same. */
void cw_sequence_write(_Atomic uint32_t* sequence, _Atomic uint64_t* words, const uint64_t* from, int n) {
  const uint32_t before = atomic_load_explicit(sequence, memory_order_relaxed);
  /* If an earlier writer was killed while writing, the number is odd already. */
  atomic_store_explicit(sequence, before | 1, memory_order_relaxed);
  for (int i = 0; i < n; ++i) atomic_store_explicit(&words[i], from[i], memory_order_release);
  atomic_store_explicit(sequence, (before | 1) + 1, memory_order_release);
}

static bool try_read(_Atomic uint32_t* sequence, _Atomic uint64_t* words, uint64_t* to, int n) {
  const uint32_t before = atomic_load_explicit(sequence, memory_order_acquire);
  if (before == 0 || before % 2 == 1) return false;
  for (int i = 0; i < n; ++i) to[i] = atomic_load_explicit(&words[i], memory_order_acquire);
  return atomic_load_explicit(sequence, memory_order_relaxed) == before;
}

bool cw_sequence_read(_Atomic uint32_t* sequence, _Atomic uint64_t* words, uint64_t* to, int n) {
  for (int i = 0; i < MOST_TRIES; ++i) {
    if (try_read(sequence, words, to, n)) return true;
  }
  return false;
}
