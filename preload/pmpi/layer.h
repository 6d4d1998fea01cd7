/* The wrapper layer: what every generated wrapper does around its PMPI call. */
#ifndef COREWISE_PMPI_LAYER_H
#define COREWISE_PMPI_LAYER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../store/clock.h"

struct cw_request;

/* One call in progress. */
struct cw_span {
  uint64_t begin;
  uint64_t end;
  struct cw_request* persistent; /* not NULL: the request that is being made takes the events */
  struct cw_request* starting;   /* the first known one of the persistent requests that the call starts */
};

/* True between MPI_Init and MPI_Finalize while an observer takes events. */
extern bool cw_recording;

/* The wrapper that this thread is in: an address in its stack frame; NULL outside. MPI calls that a call
 * makes inside (Fortran over C, a library over itself) are part of it. */
extern __thread const void* cw_wrapper __attribute__((tls_model("initial-exec")));

/* Where this thread seems to be in a wrapper: was that one left by an exception or longjmp, as error handlers
 * do, so that `frame` belongs to a call of its own? */
bool cw_wrapper_was_left(const void* frame);

/* Before the PMPI call, in the wrapper itself. False: nothing is recorded of it, just forward. */
static inline __attribute__((always_inline)) bool cw_enter(struct cw_span* span) {
  const void* frame = __builtin_frame_address(0);
  if (!cw_recording || (cw_wrapper != NULL && !cw_wrapper_was_left(frame))) return false;
  cw_wrapper = frame;
  span->persistent = NULL;
  span->starting = NULL;
  span->begin = cw_ticks();
  return true;
}

/* Right after the PMPI call. Recorders may read its arguments if it succeeded, so that a wrong one is
 * reported by MPI and not by us. */
static inline bool cw_succeeded(struct cw_span* span, int result) {
  span->end = cw_ticks();
  return result == 0; /* MPI_SUCCESS */
}

/* After the recorders. */
static inline void cw_leave(void) { cw_wrapper = NULL; }

/* At the begin of MPI_Init, at its end where it succeeded, and at the begin of MPI_Finalize. The first makes
 * the job's MPI visible where it was opened as a plug-in (RTLD_LOCAL). */
void cw_layer_prepare(void);
void cw_layer_start(void);
void cw_layer_finish(void);

#endif
