/* The path of a counted call: its row found and added to. In a header, so that the wrappers contain it. */
#ifndef COREWISE_COUNTERS_ROWS_H
#define COREWISE_COUNTERS_ROWS_H

#include <corewise_formats/profile.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "event.h"
#include "row_table.h"
#include "thread.h"

/* Counting is on from here on, in every thread. `window_ended` is called before a call is counted that ends
 * after its table's `window_end`, and updates it. */
void cw_rows_start(void (*window_ended)(struct cw_row_table* table));
bool cw_rows_are_counted(void);

extern void (*cw_rows_window_ended)(struct cw_row_table* table);

/* The calling thread's table, made at its first call; NULL: no memory. */
struct cw_row_table* cw_rows_of_thread(void);

/* The row of this name in this thread's table, entered in the cache; NULL (a counted fault) where there is no
 * room for it. */
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

/* The row of this name where this thread used it lately; else NULL. */
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

/* Adds the event to its row; where calls are timed, its time too, after a window that it ends. */
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
