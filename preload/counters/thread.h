/* What the wrappers keep for each thread: one block, reached without a call. */
#ifndef COREWISE_COUNTERS_THREAD_H
#define COREWISE_COUNTERS_THREAD_H

#include <stdbool.h>
#include <stdint.h>

struct cw_group;
struct cw_profile_row;
struct cw_row_table;
struct cw_watch_memory;

/* Bits of `gate` while the thread is in no wrapper; 0 before the thread's first call. */
enum {
  CW_GATE_OPEN = 1,     /* calls are recorded */
  CW_GATE_TIMED = 2,    /* both clock reads of a call are made */
  CW_GATE_TRACED = 4,   /* rows count events (rows.h) */
  CW_GATE_WATCHED = 8,  /* observers are called before and after each call: it takes the long way (watch.h) */
  CW_GATE_COUNTED = 16, /* with it: an observer asks for `counts` of every call (observer.h) */
  CW_GATE_END = 32      /* greater than all of them together */
};

enum { CW_REPEAT_BITS = 4, CW_REPEATED_CALLS = 32 };

/* A message that was counted before, and where (repeats.h). */
struct cw_repeat {
  uint64_t message; /* count and destination as one number */
  uint64_t comm;    /* handles as numbers */
  uint64_t type;
  struct cw_profile_row* row;
  uint64_t bytes;
  uint32_t generation; /* cw_groups_generation then */
  uint16_t call;
} __attribute__((aligned(64)));

/* Likewise of a call without a message. */
struct cw_repeated_call {
  struct cw_profile_row* row; /* NULL: none yet */
  uint64_t call;
};

struct cw_thread {
  uintptr_t gate;                       /* bits as above, or the frame of the wrapper that the thread is in */
  uint64_t comm;                        /* communicator whose group was looked up last, as a number */
  const struct cw_group* group;         /* its group; NULL: none yet */
  uint64_t type;                        /* predefined datatype whose size was looked up last, as a number */
  uint64_t type_bytes;                  /* 0: none yet, or of no size */
  struct cw_row_table* rows;            /* that count its calls; NULL: none yet */
  struct cw_watch_memory* watch_memory; /* of watched calls; NULL: none yet */
  uint32_t generation;                  /* cw_groups_generation when `group` was found */
  struct cw_repeat repeats[1 << CW_REPEAT_BITS];
  struct cw_repeated_call repeated_calls[CW_REPEATED_CALLS];
};

/* The library is there when the program starts, so that its thread-local block needs no look-up. */
extern __thread struct cw_thread cw_thread __attribute__((tls_model("initial-exec"), aligned(64)));

#endif
