/* The parts of watch.h that are not inline: they are rare, or slow anyway. */
#include "watch.h"

#include <pthread.h>
#include <stdlib.h>

#include "../../counters/rows.h"
#include "../../store/store.h"

void cw_watch_count_more(struct cw_watch* watch, const struct cw_event* event) {
  struct cw_event* counts = cw_watch_array(CW_ARRAY_COUNTS, (watch->call.n_counts + 1) * sizeof *counts);
  if (counts == NULL) {
    cw_store_fault(CW_FAULT_NO_MEMORY);
    return;
  }
  if (watch->call.n_counts == 1) counts[0] = watch->count;
  counts[watch->call.n_counts++] = *event;
  watch->call.counts = counts;
}

/* Adds the time waited for a message to the profile, in a separate row. */
static void add_wait(const struct cw_watch* watch, struct cw_message message, uint64_t ticks) {
  const uintptr_t needed = CW_GATE_TRACED | CW_GATE_TIMED;
  if ((watch->span.gate & needed) != needed || message.peer < 0) return;
  const uint64_t end = watch->call.end;
  const struct cw_event event = {.call = watch->call.call,
                                 .flags = CW_ROW_WAIT,
                                 .peer = message.peer,
                                 .bytes = message.bytes,
                                 .begin = end - ticks,
                                 .end = end};
  cw_row_count(&event, true);
}

/* MPI doesn't report how long a call waited for each of its requests: each gets an equal share. */
void cw_watch_share_wait(struct cw_watch* watch) {
  struct cw_call* call = &watch->call;
  const uint64_t ticks = call->end - call->begin;
  if ((call->flags & CW_CALL_GOT) != 0) {
    call->waited = ticks;
    add_wait(watch, call->received, ticks);
  }
  const uint64_t share = call->n_completed > 0 ? ticks / call->n_completed : 0;
  for (uint32_t i = 0; i < call->n_completed; ++i) {
    struct cw_completion* done = &watch->completions[i];
    const bool receives = (done->operation->flags & CW_CALL_RECEIVES) != 0;
    done->waited = share;
    add_wait(watch, receives ? done->received : done->operation->sent, done->waited);
  }
}

enum { kFirstBytes = 4096 };

static pthread_key_t thread_end;

static void free_memory(void* memory) {
  struct cw_watch_memory* all = memory;
  for (int i = 0; i < CW_N_WATCH_ARRAYS; ++i) free(all->arrays[i]);
  free(all);
  cw_thread.watch_memory = NULL; /* other destructors may still make MPI calls */
}

bool cw_watch_memory_start(void) { return pthread_key_create(&thread_end, free_memory) == 0; }

static struct cw_watch_memory* memory_of_thread(void) {
  if (cw_thread.watch_memory == NULL) {
    struct cw_watch_memory* memory = calloc(1, sizeof *memory);
    if (memory != NULL && pthread_setspecific(thread_end, memory) != 0) {
      free(memory);
      memory = NULL;
    }
    cw_thread.watch_memory = memory;
  }
  return cw_thread.watch_memory;
}

void* cw_watch_array(enum cw_watch_array array, size_t bytes) {
  struct cw_watch_memory* memory = memory_of_thread();
  if (memory == NULL) return NULL;
  if (memory->arrays[array] == NULL || memory->bytes[array] < bytes) {
    size_t room = memory->bytes[array] == 0 ? kFirstBytes : memory->bytes[array];
    while (room < bytes) room *= 2;
    void* larger = realloc(memory->arrays[array], room);
    if (larger == NULL) return NULL;
    memory->arrays[array] = larger;
    memory->bytes[array] = room;
  }
  return memory->arrays[array];
}
