/* The tracer's path of a call: its row found and added to. In a header, so that the wrappers contain it. */
#ifndef COREWISE_TRACE_ROWS_H
#define COREWISE_TRACE_ROWS_H

#include <corewise_formats/profile.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "../pmpi/observer.h"
#include "../pmpi/thread.h"
#include "row_table.h"
#include "windows.h"

/* The row of this name in this thread's table, entered in the cache; NULL (a counted fault) where there is no
 * room for it. */
struct cw_profile_row* cw_trace_find_row(uint64_t key, uint64_t group);

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

/* The row of this name where this thread used it lately; else NULL. */
static inline __attribute__((always_inline)) struct cw_profile_row* cw_trace_recent_row(uint64_t key,
                                                                                        uint64_t group) {
  const struct cw_row_table* table = cw_thread.rows;
  if (__builtin_expect(table == NULL, 0)) return NULL;
  const struct cw_row_slot* slot = &table->cache[cw_row_hash(key, group) >> (64 - CW_ROW_CACHE_BITS)];
  return __builtin_expect(slot->key == key && slot->group == group, 1) ? slot->row : NULL;
}

static inline __attribute__((always_inline)) struct cw_profile_row* cw_trace_row(uint64_t key,
                                                                                 uint64_t group) {
  struct cw_profile_row* row = cw_trace_recent_row(key, group);
  return __builtin_expect(row != NULL, 1) ? row : cw_trace_find_row(key, group);
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
