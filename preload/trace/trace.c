/* The trace observer: folds calls into rows of the profile, one table of rows for each thread, so no row is
 * ever contended. */
#define _GNU_SOURCE
#include "trace.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "../store/clock.h"
#include "../store/store.h"
#include "groups.h"

enum {
  kFirstSlots = 256,
  kRowsOfChunk = (CW_PROFILE_CHUNK_BYTES - sizeof(struct cw_profile_chunk)) / sizeof(struct cw_profile_row)
};

/* One thread's rows. They are in the mapped file; the index that finds them is in the process's memory. When
 * the thread ends, the next new thread goes on with its table. */
struct row_table {
  struct cw_profile_chunk* head; /* first chunk: carries last_ticks; NULL when there was no room for any */
  struct cw_profile_row* next;   /* unused rows of the newest chunk */
  struct cw_profile_row* end;
  struct cw_profile_row** slots; /* open addressing, a power of two */
  uint32_t n_slots;
  uint32_t n_rows;
  uint32_t thread;
  bool full; /* no further chunk could be taken: known rows go on counting, new ones are lost */
  struct row_table* next_idle;
};

static __thread struct row_table* thread_table __attribute__((tls_model("initial-exec")));
static pthread_mutex_t idle_lock = PTHREAD_MUTEX_INITIALIZER;
static struct row_table* idle_tables;
static uint32_t n_tables;
static pthread_key_t thread_end;
static bool have_thread_end;

/* The eight bytes before `group` in a row, as one value. */
static inline uint64_t row_key(int32_t peer, uint16_t call, uint8_t size_class, uint8_t flags) {
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

static inline uint64_t key_of(const struct cw_profile_row* row) {
  uint64_t key;
  memcpy(&key, row, sizeof key);
  return key;
}

/* Fibonacci hashing (Knuth, TAOCP 3, 6.4): the upper bits of the product are well mixed. */
static inline uint32_t slot_of(uint64_t key, uint64_t group, uint32_t n_slots) {
  return (uint32_t)(((key ^ group) * 0x9e3779b97f4a7c15u) >> 32) & (n_slots - 1);
}

static bool grow_index(struct row_table* table) {
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

static bool add_chunk(struct row_table* table) {
  struct cw_profile_chunk* chunk = table->full ? NULL : cw_store_chunk(CW_PROFILE_CHUNK_BYTES, table->thread);
  if (chunk == NULL) {
    table->full = true;
    return false;
  }
  cw_store_publish(chunk, CW_CHUNK_ROWS);
  if (table->head == NULL) table->head = chunk;
  table->next = (struct cw_profile_row*)(chunk + 1);
  table->end = table->next + kRowsOfChunk;
  return true;
}

static struct cw_profile_row* add_row(struct row_table* table, const struct cw_event* event, uint64_t key) {
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
  row->group = event->group;
  uint32_t at = slot_of(key, event->group, table->n_slots);
  while (table->slots[at] != NULL) at = (at + 1) & (table->n_slots - 1);
  table->slots[at] = row;
  ++table->n_rows;
  return row;
}

static struct cw_profile_row* find_row(struct row_table* table, const struct cw_event* event) {
  const int size_class = event->bytes == 0 ? 0 : 64 - __builtin_clzll(event->bytes);
  const uint64_t key = row_key(event->peer, event->call, (uint8_t)size_class, event->flags);
  for (uint32_t at = slot_of(key, event->group, table->n_slots);; at = (at + 1) & (table->n_slots - 1)) {
    struct cw_profile_row* row = table->slots[at];
    if (row == NULL) return add_row(table, event, key);
    if (key_of(row) == key && row->group == event->group) return row;
  }
}

static void release_table(void* table) {
  pthread_mutex_lock(&idle_lock);
  ((struct row_table*)table)->next_idle = idle_tables;
  idle_tables = table;
  pthread_mutex_unlock(&idle_lock);
}

/* The first event of a thread: takes the table of a thread that ended, or makes one. */
static __attribute__((noinline)) struct row_table* acquire_table(void) {
  pthread_mutex_lock(&idle_lock);
  struct row_table* table = idle_tables;
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
  thread_table = table;
  if (have_thread_end) (void)pthread_setspecific(thread_end, table);
  return table;
}

static void trace_event(const struct cw_event* event) {
  struct row_table* table = thread_table != NULL ? thread_table : acquire_table();
  if (table == NULL) {
    cw_store_fault(CW_FAULT_NO_MEMORY);
    return;
  }
  struct cw_profile_row* row = find_row(table, event);
  if (row == NULL) return;
  row->count += 1;
  row->bytes += event->bytes;
  row->ticks += event->end - event->begin;
  table->head->last_ticks = event->end;
}

static void trace_start(void) {
  have_thread_end = pthread_key_create(&thread_end, release_table) == 0;
  cw_store_rank()->traced = 1;
}

const struct cw_observer cw_trace_observer = {
    .name = "trace", .start = trace_start, .event = trace_event, .group = cw_trace_group};
