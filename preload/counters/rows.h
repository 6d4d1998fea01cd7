/* Finds the row of a call and adds to it. Inline, because every MPI call of the program passes here. */
#ifndef COREWISE_COUNTERS_ROWS_H
#define COREWISE_COUNTERS_ROWS_H

#include <corewise_formats/profile.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "event.h"
#include "row_table.h"
#include "thread.h"

/* Starts counting, in all threads. `window_ended` is called before the first call after `table->window_end`
 * is counted; it must set a later `window_end`. */
void cw_rows_start(void (*window_ended)(struct cw_row_table* table));
bool cw_rows_are_counted(void);

extern void (*cw_rows_window_ended)(struct cw_row_table* table);

/* The calling thread's table, created at the first call; NULL: out of memory. */
struct cw_row_table* cw_rows_of_thread(void);

/* Finds or adds the row in this thread's table and puts it in the cache. NULL if there is no room for a new
 * row; the fault is counted. */
struct cw_profile_row* cw_row_find(uint64_t key, uint64_t group);

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

/* The row if it is in the cache, else NULL. */
static inline __attribute__((always_inline)) struct cw_profile_row* cw_row_recent(uint64_t key,
                                                                                  uint64_t group) {
  const struct cw_row_table* table = cw_thread.rows;
  if (__builtin_expect(table == NULL, 0)) return NULL;
  const struct cw_row_slot* slot = &table->cache[cw_row_hash(key, group) >> (64 - CW_ROW_CACHE_BITS)];
  return __builtin_expect(slot->key == key && slot->group == group, 1) ? slot->row : NULL;
}

static inline __attribute__((always_inline)) struct cw_profile_row* cw_row_of(uint64_t key, uint64_t group) {
  struct cw_profile_row* row = cw_row_recent(key, group);
  return __builtin_expect(row != NULL, 1) ? row : cw_row_find(key, group);
}

/* Adds the event to its row, and its duration if calls are timed. */
static inline __attribute__((always_inline)) void cw_row_count(const struct cw_event* event, bool is_timed) {
  if (is_timed && __builtin_expect(cw_thread.rows != NULL && event->end > cw_thread.rows->window_end, 0))
    cw_rows_window_ended(cw_thread.rows);
  const int size_class = event->bytes == 0 ? 0 : 64 - __builtin_clzll(event->bytes);
  struct cw_profile_row* row =
      cw_row_of(cw_row_key(event->peer, event->call, (uint8_t)size_class, event->flags), event->group);
  if (__builtin_expect(row == NULL, 0)) return;
  row->count += 1;
  row->bytes += event->bytes;
  if (is_timed) {
    row->ticks += event->end - event->begin;
    cw_thread.rows->head->last_ticks = event->end;
  }
}

#endif
