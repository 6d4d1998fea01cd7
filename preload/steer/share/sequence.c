/* See sequence.h. The writer never waits; a reader takes words only if none changed meanwhile. */
#include "sequence.h"

enum { MOST_TRIES = 4 };

/* Words are stored with release and loaded with acquire order: whoever loads a word of a later write then
 * also sees that write's odd sequence. Fences would do with fewer, but ThreadSanitizer does not know them,
 * and on x86 they cost the same. */
void cw_sequence_write(_Atomic uint32_t* sequence, _Atomic uint64_t* words, const uint64_t* from, int n) {
  const uint32_t before = atomic_load_explicit(sequence, memory_order_relaxed);
  /* Odd already where a writer before was killed in the middle: then it stays odd until the end. */
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
