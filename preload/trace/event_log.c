/* Encoding of events (FORMATS.md, "Events"). */
#include "event_log.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "../store/store.h"
#include "varint.h"

enum { kChunkBytes = 4 * CW_PROFILE_CHUNK_BYTES };

/* Maximum size of the parts of a record: shape, fixed fields, each completed request. */
enum {
  kMostOfShape = 7 * CW_VARINT_MOST_BYTES,
  kMostOfEvent = 7 * CW_VARINT_MOST_BYTES,
  kMostOfRequest = 4 * CW_VARINT_MOST_BYTES
};

static _Atomic int64_t bytes_left;

void cw_event_log_allow(uint64_t bytes) {
  atomic_store(&bytes_left, bytes > INT64_MAX ? INT64_MAX : (int64_t)bytes);
}

/* Times are stored in units of 2^shift ticks, the greatest such unit of at most 16 ns. */
static uint32_t shift_of(double ticks_per_s) {
  uint32_t shift = 0;
  while (shift < 32 && (double)(2ull << shift) <= 16e-9 * ticks_per_s) ++shift;
  return shift;
}

struct cw_event_log* cw_event_log_new(uint32_t thread, double ticks_per_s) {
  struct cw_event_log* log = calloc(1, sizeof *log);
  if (log == NULL) return NULL;
  log->thread = thread;
  log->shift = shift_of(ticks_per_s);
  return log;
}

static struct cw_profile_events* head_of(struct cw_profile_chunk* chunk) {
  return (struct cw_profile_events*)(chunk + 1);
}

/* Begins a chunk with room for `bytes` of records; false: no space, or the limit is reached. */
static bool begin_chunk(struct cw_event_log* log, uint64_t bytes, uint64_t begin) {
  const uint64_t needed = bytes + sizeof *log->chunk + sizeof(struct cw_profile_events);
  const uint64_t size = needed > kChunkBytes ? needed : kChunkBytes;
  struct cw_profile_chunk* chunk = atomic_fetch_sub(&bytes_left, (int64_t)size) >= (int64_t)size
                                       ? cw_store_chunk(size, log->thread)
                                       : NULL;
  if (chunk == NULL) return false;
  if (log->n_events == 0) log->last_end = begin >> log->shift;
  *head_of(chunk) = (struct cw_profile_events){
      .first_event = log->n_events, .begin_ticks = log->last_end, .shift = log->shift};
  cw_shapes_clear(&log->shapes);
  log->last_request = 0;
  log->chunk = chunk;
  log->at = (uint8_t*)(head_of(chunk) + 1);
  log->end = (uint8_t*)chunk + chunk->bytes;
  cw_store_publish(chunk, CW_CHUNK_EVENTS);
  return true;
}

static uint8_t* put_shape(uint8_t* at, const struct cw_shape* shape) {
  *at++ = 0;
  at = cw_varint_put(at, shape->call);
  at = cw_varint_put(at, shape->flags);
  at = cw_varint_put(at, cw_zigzag(shape->peer));
  at = cw_varint_put(at, cw_zigzag(shape->tag));
  at = cw_varint_put(at, shape->comm);
  return cw_varint_put(at, shape->bytes);
}

static uint64_t step_to(struct cw_event_log* log, uint64_t request) {
  const uint64_t step = cw_zigzag((int64_t)(request - log->last_request));
  log->last_request = request;
  return step;
}

static uint8_t* put_ends(struct cw_event_log* log, uint8_t* at, const struct cw_event_record* record) {
  at = cw_varint_put(at, record->n_ends);
  for (uint32_t i = 0; i < record->n_ends; ++i) {
    const struct cw_event_end* end = &record->ends[i];
    at = cw_varint_put(at, 4 * step_to(log, end->request) + end->flags);
    if ((end->flags & CW_COMPLETION_STATUS) == 0) continue;
    at = cw_varint_put(at, cw_zigzag(end->source));
    at = cw_varint_put(at, cw_zigzag(end->tag));
    at = cw_varint_put(at, end->bytes);
  }
  return at;
}

/* If a thread moves to a core whose clock is slightly behind, its time stays the same, and never
 * decreases. */
static uint8_t* put_times(struct cw_event_log* log, uint8_t* at, const struct cw_event_record* record) {
  const uint64_t begin = record->begin >> log->shift;
  const uint64_t end = record->end >> log->shift;
  const uint64_t from = begin > log->last_end ? begin : log->last_end;
  at = cw_varint_put(at, from - log->last_end);
  log->last_end = end > from ? end : from;
  return cw_varint_put(at, log->last_end - from);
}

static void put_event(struct cw_event_log* log, const struct cw_event_record* record,
                      const struct cw_shape_use* use) {
  const uint8_t flags = record->shape.flags;
  uint8_t* at = use->is_new ? put_shape(log->at, &record->shape) : log->at;
  at = cw_varint_put(at, 1 + 4 * (uint64_t)use->index + (use->own_bytes ? 1 : 0) + (use->own_tag ? 2 : 0));
  if (use->own_bytes) at = cw_varint_put(at, record->shape.bytes);
  if (use->own_tag) at = cw_varint_put(at, cw_zigzag(record->shape.tag));
  if ((flags & CW_EVENT_PART) == 0) at = put_times(log, at, record);
  if ((flags & CW_EVENT_STARTS) != 0) at = cw_varint_put(at, step_to(log, record->request));
  if ((flags & CW_EVENT_COMPLETES) != 0) at = put_ends(log, at, record);
  log->at = at;
  ++log->n_events;
}

static bool has_room(const struct cw_event_log* log, uint64_t bytes) {
  return log->chunk != NULL && (uint64_t)(log->end - log->at) >= bytes;
}

void cw_event_log_add(struct cw_event_log* log, const struct cw_event_record* records, uint32_t n) {
  uint64_t most = (uint64_t)n * (kMostOfShape + kMostOfEvent);
  for (uint32_t i = 0; i < n; ++i) most += (uint64_t)records[i].n_ends * kMostOfRequest;
  uint32_t i = 0;
  if (!log->is_over && (has_room(log, most) || begin_chunk(log, most, records->begin))) {
    struct cw_shape_use use;
    for (; i < n && cw_shapes_find(&log->shapes, &records[i].shape, &use); ++i)
      put_event(log, &records[i], &use);
    struct cw_profile_events* head = head_of(log->chunk);
    log->chunk->n_items += i;
    __atomic_store_n(&head->used_bytes, (uint64_t)(log->at - (uint8_t*)(head + 1)), __ATOMIC_RELEASE);
  }
  if (i == n) return;
  log->is_over = true;
  __atomic_fetch_add(&cw_store_rank()->n_events_dropped, n - i, __ATOMIC_RELAXED);
}
