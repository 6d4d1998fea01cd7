/* What each generated wrapper does around its PMPI call: it passes the thread's gate.
 *
 * States of a thread's gate (counters/thread.h): 0, before its first call; bits, outside MPI, while calls are
 * recorded; the frame of the outermost wrapper, inside MPI. */
#ifndef COREWISE_PMPI_CALLS_GATE_H
#define COREWISE_PMPI_CALLS_GATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../counters/thread.h"
#include "../../store/clock.h"

struct cw_request;
struct cw_watch;

/* One call in progress. */
struct cw_span {
  uintptr_t gate; /* the thread's gate bits (counters/thread.h) */
  uint64_t begin; /* ticks; 0 if calls are not timed */
  uint64_t end;
  struct cw_request* persistent; /* not NULL: the persistent request that the call creates; gets the events */
  struct cw_request* starting;   /* first known persistent request that the call starts */
  struct cw_watch* watch;        /* not NULL: the call is watched */
};

/* Called if the thread's gate is not open. Returns its bits if the wrapper with this frame may record, else
 * 0: before MPI_Init, after MPI_Finalize, and inside another wrapper, because MPI calls that an MPI call
 * makes are part of it (Fortran calls C, for example). Wrappers that were left by an exception or longjmp
 * don't count. */
uintptr_t cw_enter_slowly(uintptr_t frame);

/* Before the PMPI call, in the wrapper itself. False: do not record, only forward. */
static inline __attribute__((always_inline)) bool cw_enter(struct cw_span* span) {
  const uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
  uintptr_t gate = cw_thread.gate;
  if (__builtin_expect(gate - 1 >= CW_GATE_WATCHED - 1, 0)) {
    if (gate - 1 >= CW_GATE_END - 1) gate = cw_enter_slowly(frame);
    if (gate == 0) return false;
  }
  cw_thread.gate = frame;
  span->gate = gate;
  span->persistent = NULL;
  span->starting = NULL;
  span->watch = NULL;
  /* The time of a watched call begins later, after the observers' functions. */
  span->begin = (gate & (CW_GATE_TIMED | CW_GATE_WATCHED)) == CW_GATE_TIMED ? cw_ticks() : 0;
  return true;
}

/* After cw_enter(): does the call continue in the watched form? Without observers the test costs nothing,
 * because the compiler knows the range of `gate`. */
static inline __attribute__((always_inline)) bool cw_is_watched(const struct cw_span* span) {
  return (span->gate & CW_GATE_WATCHED) != 0;
}

/* After the PMPI call. Only if it succeeded may recorders read its arguments: wrong ones are for MPI to
 * report. */
static inline __attribute__((always_inline)) bool cw_succeeded(struct cw_span* span, int result) {
  span->end = (span->gate & CW_GATE_TIMED) != 0 ? cw_ticks() : 0;
  return result == 0; /* MPI_SUCCESS */
}

static inline __attribute__((always_inline)) void cw_leave(const struct cw_span* span) {
  cw_thread.gate = span->gate;
}

/* Threads record calls with these bits from their next call on; 0: they only forward calls. */
void cw_gate_set(uintptr_t bits);

/* MPI calls that this function's caller makes are then inside a wrapper, and not recorded. */
static inline __attribute__((always_inline)) void cw_gate_close(void) {
  cw_thread.gate = (uintptr_t)__builtin_frame_address(0);
}

#endif
