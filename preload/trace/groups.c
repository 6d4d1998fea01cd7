/* Members of communicators, compressed into ranges: MPI_COMM_WORLD is one range, whatever its size. */
#include "groups.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "../store/store.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t* written; /* ids, in no order: programs have few communicators that make collectives */
static uint32_t n_written;
static uint32_t capacity;

/* Adds an id; false where it is there already. A program that splits and frees communicators in a loop uses
 * the same few groups again and again: they are written once. */
static bool add_written(uint64_t id) {
  for (uint32_t i = 0; i < n_written; ++i) {
    if (written[i] == id) return false;
  }
  if (n_written == capacity) {
    const uint32_t larger = capacity == 0 ? 16 : capacity * 2;
    uint64_t* ids = realloc(written, larger * sizeof *ids);
    if (ids == NULL) return true; /* written twice at worst: readers take the first */
    written = ids;
    capacity = larger;
  }
  written[n_written++] = id;
  return true;
}

/* Length of the longest range of one stride that starts at members[at]. */
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

void cw_trace_group(uint64_t id, const int32_t* members, uint32_t n_members) {
  pthread_mutex_lock(&lock);
  const bool is_new = add_written(id);
  pthread_mutex_unlock(&lock);
  if (!is_new) return;

  const uint32_t n_ranges = count_ranges(members, n_members);
  const uint64_t bytes = sizeof(struct cw_profile_chunk) + sizeof(struct cw_profile_group) +
                         (uint64_t)n_ranges * sizeof(struct cw_profile_range);
  struct cw_profile_chunk* chunk = cw_store_chunk(bytes, 0);
  if (chunk == NULL) {
    cw_store_fault(CW_FAULT_NO_SPACE);
    return;
  }
  struct cw_profile_group* group = (struct cw_profile_group*)(chunk + 1);
  group->id = id;
  group->n_members = n_members;
  struct cw_profile_range* range = (struct cw_profile_range*)(group + 1);
  for (uint32_t at = 0; at < n_members; at += range->count, ++range) {
    range->first = members[at];
    range->count = range_length(members, n_members, at);
    range->stride = range->count > 1 ? members[at + 1] - members[at] : 1;
  }
  chunk->n_items = n_ranges;
  cw_store_publish(chunk, CW_CHUNK_GROUP);
}
