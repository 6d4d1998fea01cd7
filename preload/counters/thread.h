/* Thread-local state of the wrappers, in one block. */
#ifndef COREWISE_COUNTERS_THREAD_H
#define COREWISE_COUNTERS_THREAD_H

#include <stdbool.h>
#include <stdint.h>

struct cw_group;
struct cw_profile_row;
struct cw_row_table;
struct cw_watch_memory;

/* Bits of `gate` while the thread is outside MPI; 0 before the thread's first call. */
enum {
  CW_GATE_OPEN = 1,     /* calls are recorded */
  CW_GATE_TIMED = 2,    /* the clock is read before and after each call */
  CW_GATE_TRACED = 4,   /* rows count events (rows.h) */
  CW_GATE_WATCHED = 8,  /* observers are called before and after each call (watch.h) */
  CW_GATE_COUNTED = 16, /* with CW_GATE_WATCHED: an observer reads `counts` of every call (observer.h) */
  CW_GATE_END = 32      /* greater than the sum of all bits, and less than any address of a stack frame */
};

enum { CW_REPEAT_BITS = 4, CW_REPEATED_CALLS = 32 };

/* A message that was counted before, and its row: the next equal message skips all look-ups (repeats.h). */
struct cw_repeat {
  uint64_t message; /* count and destination as one number */
  uint64_t comm;    /* handles as numbers */
  uint64_t type;
  struct cw_profile_row* row;
  uint64_t bytes;
  uint32_t generation; /* cw_groups_generation when the message was counted */
  uint16_t call;
} __attribute__((aligned(64)));

/* The same for a call without a message. */
struct cw_repeated_call {
  struct cw_profile_row* row; /* NULL: none yet */
  uint64_t call;
};

struct cw_thread {
  uintptr_t gate;                       /* bits as above, or the frame of the wrapper that the thread is in */
  uint64_t comm;                        /* handle of the communicator that was looked up last */
  const struct cw_group* group;         /* its group; NULL: none yet */
  uint64_t type;                        /* handle of the predefined datatype that was looked up last */
  uint64_t type_bytes;                  /* its size; 0: none yet, or a type without data */
  struct cw_row_table* rows;            /* NULL: none yet */
  struct cw_watch_memory* watch_memory; /* buffers for watched calls; NULL: none yet */
  uint32_t generation;                  /* cw_groups_generation when `group` was found */
  struct cw_repeat repeats[1 << CW_REPEAT_BITS];
  struct cw_repeated_call repeated_calls[CW_REPEATED_CALLS];
};

/* The initial-exec model works because the library is loaded at program start. Access then needs no call. */
extern __thread struct cw_thread cw_thread __attribute__((tls_model("initial-exec"), aligned(64)));

#endif
