/* See watch_memory.h. */
#include "watch_memory.h"

#include <pthread.h>
#include <stdlib.h>

#include "../counters/thread.h"

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
