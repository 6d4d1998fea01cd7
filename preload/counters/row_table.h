/* The rows of one thread: in the mapped file, with what finds them in the process's memory. */
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

/* A row that was used lately, under the fields that name it. */
struct cw_row_slot {
  uint64_t key; /* the eight bytes before `group` in a row; 0: empty, for a row has flags */
  uint64_t group;
  struct cw_profile_row* row;
};

/* One thread's rows. They are in the mapped file; what finds them is in the process's memory. When the thread
 * ends, the next new thread continues with its table. */
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
  struct cw_windows* windows; /* the tracer's; NULL: none yet */
  struct cw_events* events;   /* likewise */
  uint32_t thread;
  bool full; /* no further chunk could be taken: known rows continue counting, new ones are lost */
  struct cw_row_table* next_idle;
};

/* The i-th row of the table, in the order in which they were added. */
static inline const struct cw_profile_row* cw_row_at(const struct cw_row_table* table, uint32_t i) {
  return &table->chunks[i / CW_ROWS_OF_CHUNK][i % CW_ROWS_OF_CHUNK];
}

#endif
