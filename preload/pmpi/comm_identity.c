/* Ids of communicators, and a count of those that some processes made without the rest of the parent. */
#include "comm_identity.h"

#include <pthread.h>
#include <stdbool.h>

enum { kSlots = 4096 };

static struct {
  uint64_t key;
  uint32_t n;
} slots[kSlots];
static uint32_t n_keys;
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

uint64_t cw_comm_id(uint64_t parent, uint64_t order, uint64_t members) {
  const uint64_t id = mix(mix(mix(0, parent), order), members);
  return id > CW_COMM_WORLD_ID ? id : id + 2;
}

uint64_t cw_sides_hash(uint64_t local, uint64_t remote) {
  return local < remote ? mix(local, remote) : mix(remote, local);
}

uint32_t cw_count_occurrence(uint64_t key) {
  pthread_mutex_lock(&lock);
  uint32_t at = key % kSlots;
  while (slots[at].n > 0 && slots[at].key != key) at = (at + 1) % kSlots;
  const bool is_new = slots[at].n == 0;
  uint32_t before = 0;
  if (!is_new || n_keys < kSlots / 2) {
    before = slots[at].n++;
    slots[at].key = key;
    n_keys += is_new;
  }
  pthread_mutex_unlock(&lock);
  return before;
}
