/* The rows of one thread. The rows are in the mapped profile file, their hash table is in private memory. */
#ifndef COREWISE_COUNTERS_ROW_TABLE_H
#define COREWISE_COUNTERS_ROW_TABLE_H

#include <corewise_formats/profile.h>
#include <stdbool.h>
#include <stdint.h>

struct cw_events;
struct cw_windows;

enum {
  CW_ROW_CACHE_BITS = 7,
  CW_ROWS_OF_CHUNK =
      (CW_PROFILE_CHUNK_BYTES - sizeof(struct cw_profile_chunk)) / sizeof(struct cw_profile_row)
};

/* An entry of the cache of recently used rows. */
struct cw_row_slot {
  uint64_t key; /* the eight bytes before `group` in a row; 0: empty, because every row has a flag set */
  uint64_t group;
  struct cw_profile_row* row;
};

/* When a thread ends, the next new thread takes over its table. */
struct cw_row_table {
  struct cw_row_slot cache[1 << CW_ROW_CACHE_BITS]; /* direct-mapped */
  uint64_t window_end;           /* ticks; a call that ends later closes the window. UINT64_MAX: never */
  struct cw_profile_chunk* head; /* first chunk, has last_ticks; NULL: no chunk yet */
  struct cw_profile_row* next;   /* unused rows of the newest chunk */
  struct cw_profile_row* end;
  struct cw_profile_row** slots; /* hash table of all rows: open addressing, n_slots is a power of two */
  uint32_t n_slots;
  uint32_t n_rows;
  struct cw_profile_row** chunks; /* the first row of each chunk, in order */
  uint32_t n_chunks;
  uint32_t chunk_room;        /* allocated entries of `chunks` */
  struct cw_windows* windows; /* owned by trace/windows.c; NULL: none yet */
  struct cw_events* events;   /* owned by trace/events.c; NULL: none yet */
  uint32_t thread;
  bool full; /* no space for another chunk: existing rows continue counting, new rows are lost */
  struct cw_row_table* next_idle;
};

static inline const struct cw_profile_row* cw_row_at(const struct cw_row_table* table, uint32_t i) {
  return &table->chunks[i / CW_ROWS_OF_CHUNK][i % CW_ROWS_OF_CHUNK];
}

#endif
