/* Arrays that a watched call fills in: each thread keeps its own from call to call, and they go with it. */
#ifndef COREWISE_PMPI_WATCH_MEMORY_H
#define COREWISE_PMPI_WATCH_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cw_watch_array {
  CW_ARRAY_COUNTS,
  CW_ARRAY_HANDLES,
  CW_ARRAY_STATUSES,
  CW_ARRAY_COMPLETIONS,
  CW_ARRAY_OPERATIONS,
  CW_ARRAY_POSTED,
  CW_N_WATCH_ARRAYS
};

struct cw_watch_memory {
  void* arrays[CW_N_WATCH_ARRAYS];
  size_t bytes[CW_N_WATCH_ARRAYS]; /* room of each */
};

/* At MPI_Init, once; false: the C library has no key left for it. */
bool cw_watch_memory_start(void);

/* This thread's array with room for `bytes`; what it held stays. NULL when out of memory. */
void* cw_watch_array(enum cw_watch_array array, size_t bytes);

#endif
