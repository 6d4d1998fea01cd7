/* Rows of the profile. Each thread has its own table, so counting a call takes no lock. */
#define _GNU_SOURCE
#include "rows.h"

#include <pthread.h>
#include <stdlib.h>

#include "../store/store.h"

enum { kFirstSlots = 256 };

static pthread_mutex_t idle_lock = PTHREAD_MUTEX_INITIALIZER;
static struct cw_row_table* idle_tables;
static uint32_t n_tables;
static pthread_key_t thread_end;
static bool have_thread_end;
static bool are_counted;

void (*cw_rows_window_ended)(struct cw_row_table* table);

static inline uint64_t key_of(const struct cw_profile_row* row) {
  uint64_t key;
  memcpy(&key, row, sizeof key);
  return key;
}

static inline uint32_t slot_of(uint64_t key, uint64_t group, uint32_t n_slots) {
  return (uint32_t)(cw_row_hash(key, group) >> 32) & (n_slots - 1);
}

static bool grow_index(struct cw_row_table* table) {
  const uint32_t n_slots = table->n_slots == 0 ? kFirstSlots : table->n_slots * 2;
  struct cw_profile_row** slots = calloc(n_slots, sizeof *slots);
  if (slots == NULL) return false;
  for (uint32_t i = 0; i < table->n_slots; ++i) {
    struct cw_profile_row* row = table->slots[i];
    if (row == NULL) continue;
    uint32_t at = slot_of(key_of(row), row->group, n_slots);
    while (slots[at] != NULL) at = (at + 1) & (n_slots - 1);
    slots[at] = row;
  }
  free(table->slots);
  table->slots = slots;
  table->n_slots = n_slots;
  return true;
}

static bool grow_list(struct cw_row_table* table) {
  if (table->n_chunks < table->chunk_room) return true;
  const uint32_t room = table->chunk_room == 0 ? 8 : 2 * table->chunk_room;
  struct cw_profile_row** chunks = realloc(table->chunks, room * sizeof *chunks);
  if (chunks == NULL) return false;
  table->chunks = chunks;
  table->chunk_room = room;
  return true;
}

static bool add_chunk(struct cw_row_table* table) {
  if (!grow_list(table)) return false;
  struct cw_profile_chunk* chunk = table->full ? NULL : cw_store_chunk(CW_PROFILE_CHUNK_BYTES, table->thread);
  if (chunk == NULL) {
    table->full = true;
    return false;
  }
  chunk->first_row = table->n_rows;
  cw_store_publish(chunk, CW_CHUNK_ROWS);
  if (table->head == NULL) table->head = chunk;
  table->next = (struct cw_profile_row*)(chunk + 1);
  table->chunks[table->n_chunks++] = table->next;
  table->end = table->next + CW_ROWS_OF_CHUNK;
  return true;
}

static struct cw_profile_row* add_row(struct cw_row_table* table, uint64_t key, uint64_t group) {
  if (table->n_rows >= table->n_slots / 4 * 3 && !grow_index(table) && table->n_rows + 1 >= table->n_slots) {
    cw_store_fault(CW_FAULT_NO_MEMORY);
    return NULL;
  }
  if (table->next == table->end && !add_chunk(table)) {
    cw_store_fault(CW_FAULT_NO_SPACE);
    return NULL;
  }
  struct cw_profile_row* row = table->next++;
  memcpy(row, &key, sizeof key);
  row->group = group;
  uint32_t at = slot_of(key, group, table->n_slots);
  while (table->slots[at] != NULL) at = (at + 1) & (table->n_slots - 1);
  table->slots[at] = row;
  ++table->n_rows;
  return row;
}

static struct cw_profile_row* find_row(struct cw_row_table* table, uint64_t key, uint64_t group) {
  for (uint32_t at = slot_of(key, group, table->n_slots);; at = (at + 1) & (table->n_slots - 1)) {
    struct cw_profile_row* row = table->slots[at];
    if (row == NULL) return add_row(table, key, group);
    if (key_of(row) == key && row->group == group) return row;
  }
}

static void release_table(void* table) {
  pthread_mutex_lock(&idle_lock);
  ((struct cw_row_table*)table)->next_idle = idle_tables;
  idle_tables = table;
  pthread_mutex_unlock(&idle_lock);
}

/* First event of a thread: reuses the table of a thread that has ended, or creates one. */
static __attribute__((noinline)) struct cw_row_table* acquire(void) {
  pthread_mutex_lock(&idle_lock);
  struct cw_row_table* table = idle_tables;
  if (table != NULL) {
    idle_tables = table->next_idle;
  } else if ((table = calloc(1, sizeof *table)) != NULL) {
    table->thread = n_tables++;
  }
  pthread_mutex_unlock(&idle_lock);
  if (table != NULL && table->n_slots == 0 && !grow_index(table)) {
    release_table(table);
    table = NULL;
  }
  if (table == NULL) return NULL;
  cw_thread.rows = table;
  if (have_thread_end) (void)pthread_setspecific(thread_end, table);
  return table;
}

struct cw_row_table* cw_rows_of_thread(void) { return cw_thread.rows != NULL ? cw_thread.rows : acquire(); }

struct cw_profile_row* cw_row_find(uint64_t key, uint64_t group) {
  struct cw_row_table* table = cw_rows_of_thread();
  if (table == NULL) {
    cw_store_fault(CW_FAULT_NO_MEMORY);
    return NULL;
  }
  struct cw_profile_row* row = find_row(table, key, group);
  if (row == NULL) return NULL;
  struct cw_row_slot* slot = &table->cache[cw_row_hash(key, group) >> (64 - CW_ROW_CACHE_BITS)];
  *slot = (struct cw_row_slot){.key = key, .group = group, .row = row};
  return row;
}

void cw_rows_start(void (*window_ended)(struct cw_row_table* table)) {
  cw_rows_window_ended = window_ended;
  have_thread_end = pthread_key_create(&thread_end, release_table) == 0;
  are_counted = true;
}

bool cw_rows_are_counted(void) { return are_counted; }
