/* Writes members of communicators as ranges: MPI_COMM_WORLD is one range, whatever its size. */
#include "groups.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "../store/store.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t* written; /* hash set of group ids: open addressing, 0: empty, at most half full */
static uint32_t n_written;
static uint32_t n_slots;
static struct cw_profile_chunk* chunk; /* being filled */
static uint64_t used_bytes;            /* of `chunk`, without its head */

/* Ids are hashes already, so their lower bits serve as the slot. */
static uint64_t* slot_of(uint64_t* slots, uint32_t n, uint64_t id) {
  uint32_t at = (uint32_t)id & (n - 1);
  while (slots[at] != 0 && slots[at] != id) at = (at + 1) & (n - 1);
  return &slots[at];
}

static bool grow(void) {
  const uint32_t n = n_slots == 0 ? 16 : 2 * n_slots;
  uint64_t* slots = calloc(n, sizeof *slots);
  if (slots == NULL) return false;
  for (uint32_t i = 0; i < n_slots; ++i) {
    if (written[i] != 0) *slot_of(slots, n, written[i]) = written[i];
  }
  free(written);
  written = slots;
  n_slots = n;
  return true;
}

/* Adds an id; false if it was added before. A program that splits and frees communicators in a loop has the
 * same few groups each time. */
static bool add_written(uint64_t id) {
  if (n_slots > 0 && *slot_of(written, n_slots, id) == id) return false;
  if (2 * (n_written + 1) > n_slots && !grow())
    return true; /* out of memory: the group may be written twice, and readers take the first */
  *slot_of(written, n_slots, id) = id;
  ++n_written;
  return true;
}

/* Length of the longest range with a constant stride that starts at members[at]. */
static uint32_t range_length(const int32_t* members, uint32_t n_members, uint32_t at) {
  if (at + 1 == n_members) return 1;
  const int32_t stride = members[at + 1] - members[at];
  uint32_t n = 2;
  while (at + n < n_members && members[at + n] - members[at + n - 1] == stride) ++n;
  return n;
}

static uint32_t count_ranges(const int32_t* members, uint32_t n_members) {
  uint32_t n = 0;
  for (uint32_t at = 0; at < n_members; at += range_length(members, n_members, at)) ++n;
  return n;
}

/* Space for a group of this many bytes: in the current chunk, or in a new one. NULL: no space. */
static struct cw_profile_group* place_for(uint64_t bytes) {
  if (chunk == NULL || used_bytes + bytes > chunk->bytes - sizeof *chunk) {
    struct cw_profile_chunk* next = cw_store_chunk(sizeof *chunk + bytes, 0);
    if (next == NULL) return NULL;
    cw_store_publish(next, CW_CHUNK_GROUPS);
    chunk = next;
    used_bytes = 0;
  }
  void* place = (char*)(chunk + 1) + used_bytes;
  used_bytes += bytes;
  return place;
}

static void write_group(struct cw_profile_group* group, uint64_t id, const int32_t* members,
                        uint32_t n_members) {
  group->id = id;
  group->n_members = n_members;
  struct cw_profile_range* range = (struct cw_profile_range*)(group + 1);
  for (uint32_t at = 0; at < n_members; at += range->count, ++range, ++group->n_ranges) {
    range->first = members[at];
    range->count = range_length(members, n_members, at);
    range->stride = range->count > 1 ? members[at + 1] - members[at] : 1;
  }
}

void cw_trace_group(uint64_t id, const int32_t* members, uint32_t n_members) {
  pthread_mutex_lock(&lock);
  if (add_written(id)) {
    const uint64_t bytes = sizeof(struct cw_profile_group) +
                           (uint64_t)count_ranges(members, n_members) * sizeof(struct cw_profile_range);
    struct cw_profile_group* group = place_for((bytes + 7) / 8 * 8);
    if (group != NULL) {
      write_group(group, id, members, n_members);
      __atomic_store_n(&chunk->n_items, chunk->n_items + 1, __ATOMIC_RELEASE);
    } else {
      cw_store_fault(CW_FAULT_NO_SPACE);
    }
  }
  pthread_mutex_unlock(&lock);
}
