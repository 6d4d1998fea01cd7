/* The tracer's path of a call: its row found and added to. In a header, so that the wrappers contain it. */
#ifndef COREWISE_TRACE_ROWS_H
#define COREWISE_TRACE_ROWS_H

#include <corewise_formats/profile.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "../pmpi/observer.h"
#include "../pmpi/thread.h"
#include "windows.h"

enum {
  CW_ROW_CACHE_BITS = 7,
  CW_ROWS_OF_CHUNK =
      (CW_PROFILE_CHUNK_BYTES - sizeof(struct cw_profile_chunk)) / sizeof(struct cw_profile_row)
};

/* A row that was used lately, under the fields that name it. */
struct cw_row_slot {
  uint64_t key; /* the eight bytes before `group` in a row; 0: empty, for a row has flags */
  uint64_t group;
  struct cw_profile_row* row;
};

/* One thread's rows. They are in the mapped file; what finds them is in the process's memory. When the thread
 * ends, the next new thread goes on with its table. */
struct cw_row_table {
  struct cw_row_slot cache[1 << CW_ROW_CACHE_BITS]; /* direct-mapped */
  uint64_t window_end;           /* a call that ends later, in ticks, ends a window; the greatest: never */
  struct cw_profile_chunk* head; /* first chunk: carries last_ticks; NULL when there was no room for any */
  struct cw_profile_row* next;   /* unused rows of the newest chunk */
  struct cw_profile_row* end;
  struct cw_profile_row** slots; /* every row; open addressing, a power of two */
  uint32_t n_slots;
  uint32_t n_rows;
  struct cw_profile_row** chunks; /* the rows of each chunk, in order */
  uint32_t n_chunks;
  uint32_t chunk_room;        /* of `chunks` */
  struct cw_windows* windows; /* NULL: none yet */
  uint32_t thread;
  bool full; /* no further chunk could be taken: known rows go on counting, new ones are lost */
  struct cw_row_table* next_idle;
};

/* The row of this name in this thread's table, entered in the cache; NULL (a counted fault) where there is no
 * room for it. */
struct cw_profile_row* cw_trace_find_row(uint64_t key, uint64_t group);

/* The i-th row of the table, in the order in which they were added. */
static inline const struct cw_profile_row* cw_row_at(const struct cw_row_table* table, uint32_t i) {
  return &table->chunks[i / CW_ROWS_OF_CHUNK][i % CW_ROWS_OF_CHUNK];
}

/* The eight bytes before `group` in a row, as one value. */
static inline uint64_t cw_row_key(int32_t peer, uint16_t call, uint8_t size_class, uint8_t flags) {
  const struct {
    int32_t peer;
    uint16_t call;
    uint8_t size_class;
    uint8_t flags;
  } fields = {peer, call, size_class, flags};
  uint64_t key;
  memcpy(&key, &fields, sizeof key);
  return key;
}

/* Fibonacci hashing (Knuth, TAOCP 3, 6.4): the upper bits of the product are well mixed. */
static inline uint64_t cw_row_hash(uint64_t key, uint64_t group) {
  return (key ^ group) * 0x9e3779b97f4a7c15u;
}

static inline __attribute__((always_inline)) struct cw_profile_row* cw_trace_row(uint64_t key,
                                                                                 uint64_t group) {
  const struct cw_row_table* table = cw_thread.rows;
  if (__builtin_expect(table != NULL, 1)) {
    const struct cw_row_slot* slot = &table->cache[cw_row_hash(key, group) >> (64 - CW_ROW_CACHE_BITS)];
    if (__builtin_expect(slot->key == key && slot->group == group, 1)) return slot->row;
  }
  return cw_trace_find_row(key, group);
}

/* Adds the event to its row; where calls are timed, its time too, after a window that it ends. */
static inline __attribute__((always_inline)) void cw_trace_event(const struct cw_event* event,
                                                                 bool is_timed) {
  if (is_timed && __builtin_expect(cw_thread.rows != NULL && event->end > cw_thread.rows->window_end, 0))
    cw_windows_close(cw_thread.rows);
  const int size_class = event->bytes == 0 ? 0 : 64 - __builtin_clzll(event->bytes);
  struct cw_profile_row* row =
      cw_trace_row(cw_row_key(event->peer, event->call, (uint8_t)size_class, event->flags), event->group);
  if (__builtin_expect(row == NULL, 0)) return;
  row->count += 1;
  row->bytes += event->bytes;
  if (is_timed) {
    row->ticks += event->end - event->begin;
    cw_thread.rows->head->last_ticks = event->end;
  }
}

#endif
