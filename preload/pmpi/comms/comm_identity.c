/* See comm_identity.h. */
#include "comm_identity.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "../../store/store.h"

enum { kFirstSlots = 64 };

struct count {
  uint64_t key;
  uint32_t n; /* 0: an empty slot */
};

/* Hash table: open addressing, linear probing, at most half full, n_slots is a power of two. */
static struct count* slots;
static size_t n_slots;
static size_t n_keys;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* One step of splitmix64 (Steele, Lea, Flood, OOPSLA 2014) with `value` added. */
static uint64_t mix(uint64_t h, uint64_t value) {
  h += 0x9e3779b97f4a7c15u + value;
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
  h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
  return h ^ (h >> 31);
}

uint64_t cw_members_hash(const int32_t* members, uint32_t n_members) {
  uint64_t h = n_members;
  for (uint32_t i = 0; i < n_members; ++i) h = mix(h, (uint32_t)members[i]);
  return h;
}

/* FNV-1a (Fowler, Noll, Vo). */
uint64_t cw_text_hash(const char* text, size_t n) {
  while (n > 0 && text[n - 1] == ' ') --n;
  uint64_t h = 0xcbf29ce484222325u;
  for (size_t i = 0; i < n; ++i) h = (h ^ (unsigned char)text[i]) * 0x100000001b3u;
  return h;
}

uint64_t cw_comm_id(uint64_t parent, uint64_t order, uint64_t members) {
  const uint64_t id = mix(mix(mix(0, parent), order), members);
  return id > CW_COMM_WORLD_ID ? id : id + 2;
}

uint64_t cw_sides_hash(uint64_t local, uint64_t remote) {
  return local < remote ? mix(local, remote) : mix(remote, local);
}

uint32_t cw_comm_place(uint32_t parent, uint64_t n_before) {
  const uint64_t last = CW_LISTED_COMMS + 1; /* places beyond the limit need not be distinguished */
  return (uint32_t)(n_before < last && parent + n_before + 1 < last ? parent + n_before + 1 : last);
}

/* The key's slot, or the empty slot for it. Keys are hashes already. */
static struct count* place_of(uint64_t key) {
  size_t at = key & (n_slots - 1);
  while (slots[at].n > 0 && slots[at].key != key) at = (at + 1) & (n_slots - 1);
  return &slots[at];
}

static bool has_room(void) {
  if (2 * (n_keys + 1) <= n_slots) return true;
  struct count* old = slots;
  const size_t n_old = n_slots;
  const size_t n_new = n_old == 0 ? kFirstSlots : 2 * n_old;
  struct count* larger = calloc(n_new, sizeof *larger);
  if (larger == NULL) return false;
  slots = larger;
  n_slots = n_new;
  for (size_t i = 0; i < n_old; ++i) {
    if (old[i].n > 0) *place_of(old[i].key) = old[i];
  }
  free(old);
  return true;
}

uint32_t cw_count_occurrence(uint64_t key) {
  uint32_t before = 0;
  pthread_mutex_lock(&lock);
  const bool counted = has_room();
  if (counted) {
    struct count* slot = place_of(key);
    n_keys += slot->n == 0;
    slot->key = key;
    before = slot->n++;
  }
  pthread_mutex_unlock(&lock);
  if (!counted) cw_store_fault(CW_FAULT_NO_MEMORY);
  return before;
}
