/* Encoding of windows (FORMATS.md, "Varint" and "Windows"). */
#include "window_log.h"

#include <string.h>

#include "../store/store.h"
#include "varint.h"

enum { kChunkBytes = 4 * CW_PROFILE_CHUNK_BYTES };

static struct cw_profile_windows* head_of(struct cw_profile_chunk* chunk) {
  return (struct cw_profile_windows*)(chunk + 1);
}

static uint8_t* records_of(struct cw_profile_chunk* chunk) { return (uint8_t*)(head_of(chunk) + 1); }

static uint64_t room_of(const struct cw_profile_chunk* chunk) {
  return chunk->bytes - sizeof *chunk - sizeof(struct cw_profile_windows);
}

static struct cw_profile_chunk* take_chunk(struct cw_window_log* log, uint64_t bytes) {
  const uint64_t needed = bytes + sizeof(struct cw_profile_chunk) + sizeof(struct cw_profile_windows);
  for (uint32_t i = 0; i < log->n_spare; ++i) {
    struct cw_profile_chunk* chunk = log->spare[i];
    if (chunk->bytes < needed) continue;
    log->spare[i] = log->spare[--log->n_spare];
    return chunk;
  }
  return cw_store_chunk(needed > kChunkBytes ? needed : kChunkBytes, log->thread);
}

static struct cw_profile_chunk* chunk_with_room(struct cw_window_log* log, uint64_t bytes, uint64_t number) {
  struct cw_profile_chunk* chunk = log->n_chunks > 0 ? log->chunks[log->n_chunks - 1] : NULL;
  if (chunk != NULL && head_of(chunk)->used_bytes + bytes <= room_of(chunk)) return chunk;
  if (log->n_chunks == CW_LOG_MOST_CHUNKS) return NULL;
  chunk = take_chunk(log, bytes);
  if (chunk == NULL) return NULL;
  *head_of(chunk) = (struct cw_profile_windows){
      .window_ns = log->window_ns, .first_number = number, .level = log->level, .open_region = 1};
  log->chunks[log->n_chunks++] = chunk;
  log->last_number = number;
  return chunk;
}

/* Upper bound of the bytes of a record; sets the number of rows that grew. */
static uint64_t record_bytes(const struct cw_growth* growth, uint32_t n_rows, int32_t region,
                             uint64_t* n_grown) {
  uint64_t bytes =
      cw_varint_length(UINT64_MAX) + cw_varint_length(cw_zigzag(region)) + cw_varint_length(n_rows);
  uint32_t last = 0;
  *n_grown = 0;
  for (uint32_t i = 0; i < n_rows; ++i) {
    if (growth[i].count == 0) continue;
    bytes += cw_varint_length(i - last) + cw_varint_length(growth[i].count) +
             cw_varint_length(growth[i].bytes) + cw_varint_length(growth[i].ticks);
    last = i;
    ++*n_grown;
  }
  return bytes;
}

bool cw_window_log_append(struct cw_window_log* log, uint64_t number, int32_t region,
                          const struct cw_growth* growth, uint32_t n_rows) {
  uint64_t n_grown = 0;
  const uint64_t bytes = record_bytes(growth, n_rows, region, &n_grown);
  if (n_grown == 0) return true;
  struct cw_profile_chunk* chunk = chunk_with_room(log, bytes, number);
  if (chunk == NULL) return false;
  struct cw_profile_windows* head = head_of(chunk);
  uint8_t* at = records_of(chunk) + head->used_bytes;
  at = cw_varint_put(at, number - log->last_number);
  at = cw_varint_put(at, cw_zigzag(region));
  at = cw_varint_put(at, n_grown);
  uint32_t last = 0;
  for (uint32_t i = 0; i < n_rows; ++i) {
    if (growth[i].count == 0) continue;
    at = cw_varint_put(at, i - last);
    at = cw_varint_put(at, growth[i].count);
    at = cw_varint_put(at, growth[i].bytes);
    at = cw_varint_put(at, growth[i].ticks);
    last = i;
  }
  log->last_number = number;
  ++log->n_records;
  __atomic_store_n(&head->used_bytes, (uint64_t)(at - records_of(chunk)), __ATOMIC_RELEASE);
  return true;
}

static const uint8_t* read_rows(const uint8_t* at, const uint8_t* end,
                                void (*visit)(void* context, uint32_t row, const struct cw_growth* growth),
                                void* context) {
  uint64_t n = 0;
  uint64_t row = 0;
  at = cw_varint_get(at, end, &n);
  for (uint64_t i = 0; i < n && at < end; ++i) {
    uint64_t step = 0;
    struct cw_growth growth;
    at = cw_varint_get(at, end, &step);
    at = cw_varint_get(at, end, &growth.count);
    at = cw_varint_get(at, end, &growth.bytes);
    at = cw_varint_get(at, end, &growth.ticks);
    row += step;
    visit(context, (uint32_t)row, &growth);
  }
  return at;
}

void cw_window_log_read(const struct cw_window_log* log,
                        void (*record)(void* context, uint64_t number, int32_t region),
                        void (*row)(void* context, uint32_t row, const struct cw_growth* growth),
                        void* context) {
  for (uint32_t i = 0; i < log->n_chunks; ++i) {
    const uint8_t* at = records_of(log->chunks[i]);
    const uint8_t* end = at + head_of(log->chunks[i])->used_bytes;
    uint64_t number = head_of(log->chunks[i])->first_number;
    while (at < end) {
      uint64_t step = 0;
      uint64_t region = 0;
      at = cw_varint_get(at, end, &step);
      at = cw_varint_get(at, end, &region);
      number += step;
      record(context, number, (int32_t)((int64_t)(region >> 1) ^ -(int64_t)(region & 1)));
      at = read_rows(at, end, row, context);
    }
  }
}

void cw_window_log_publish(struct cw_window_log* log, int32_t region) {
  for (uint32_t i = 0; i < log->n_chunks; ++i) {
    head_of(log->chunks[i])->open_region = region;
    if (log->chunks[i]->kind != CW_CHUNK_WINDOWS) cw_store_publish(log->chunks[i], CW_CHUNK_WINDOWS);
  }
}

struct cw_window_log cw_window_log_next(struct cw_window_log* log) {
  struct cw_window_log next = {
      .window_ns = log->window_ns, .thread = log->thread, .level = log->level + 1, .n_spare = log->n_spare};
  memcpy(next.spare, log->spare, sizeof next.spare);
  log->n_spare = 0;
  return next;
}

void cw_window_log_retire(struct cw_window_log* log, struct cw_window_log* next) {
  for (uint32_t i = 0; i < log->n_chunks; ++i) {
    cw_store_publish(log->chunks[i], CW_CHUNK_EMPTY);
    if (next->n_spare < CW_LOG_MOST_CHUNKS) next->spare[next->n_spare++] = log->chunks[i];
  }
  log->n_chunks = 0;
  log->n_records = 0;
}
