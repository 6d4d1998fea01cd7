/* The wrapper layer: what every generated wrapper does around its PMPI call. */
#ifndef COREWISE_PMPI_LAYER_H
#define COREWISE_PMPI_LAYER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../counters/thread.h"
#include "../store/clock.h"

struct cw_request;
struct cw_watch;

/* One call in progress. */
struct cw_span {
  uintptr_t gate; /* bits of the thread's gate */
  uint64_t begin; /* ticks; 0 if calls are not timed */
  uint64_t end;
  struct cw_request* persistent; /* not NULL: the request that is being made takes the events */
  struct cw_request* starting;   /* the first known one of the persistent requests that the call starts */
  struct cw_watch* watch;        /* not NULL: the call is watched */
};

/* Where the thread's gate is not open: the bits of its gate where the wrapper with this frame may record,
 * else 0: before MPI_Init, after MPI_Finalize and inside another wrapper, for MPI calls that a call makes
 * (Fortran over C, a library over itself) are part of it. A wrapper that was left by an exception or longjmp,
 * as error handlers do, is none. */
uintptr_t cw_enter_slowly(uintptr_t frame);

/* Before the PMPI call, in the wrapper itself. False: nothing is recorded of it, just forward. */
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
  /* A watched call begins later, when observers were called. */
  span->begin = (gate & (CW_GATE_TIMED | CW_GATE_WATCHED)) == CW_GATE_TIMED ? cw_ticks() : 0;
  return true;
}

/* After that: the call continues in the wrapper's other form. Costs nothing if it does not, because the
 * gate is known to be small there. */
static inline __attribute__((always_inline)) bool cw_is_watched(const struct cw_span* span) {
  return (span->gate & CW_GATE_WATCHED) != 0;
}

/* Right after the PMPI call. Recorders may read its arguments if it succeeded, so that a wrong one is
 * reported by MPI and not by us. */
static inline __attribute__((always_inline)) bool cw_succeeded(struct cw_span* span, int result) {
  span->end = (span->gate & CW_GATE_TIMED) != 0 ? cw_ticks() : 0;
  return result == 0; /* MPI_SUCCESS */
}

/* After the recorders. */
static inline __attribute__((always_inline)) void cw_leave(const struct cw_span* span) {
  cw_thread.gate = span->gate;
}

/* At the start of MPI_Init, at its end where it succeeded, and at the start of MPI_Finalize. */
void cw_layer_prepare(void);
void cw_layer_start(void);
void cw_layer_finish(void);

/* After cw_layer_prepare(): the thread level to start MPI with where the program asks for this one. */
int cw_layer_thread_level(int asked);

/* Likewise around the first MPI_Session_init of a program that has no session yet, and at the start of the
 * last MPI_Session_finalize. They do nothing between MPI_Init and MPI_Finalize; MPI_Init ends what a session
 * has started and restarts. A program may start MPI several times: all goes to the one record of its rank.
 */
void cw_layer_start_by_session(void);
void cw_layer_finish_by_session(void);

#endif
