/* Buffers for watched calls. Each thread has its own and reuses them; they are freed when the thread ends. */
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
  size_t bytes[CW_N_WATCH_ARRAYS]; /* allocated */
};

/* Called once, in MPI_Init. False: the C library has no thread-specific key left. */
bool cw_watch_memory_start(void);

/* This thread's buffer, enlarged to `bytes` if necessary; keeps its contents. NULL: out of memory. */
void* cw_watch_array(enum cw_watch_array array, size_t bytes);

#endif
