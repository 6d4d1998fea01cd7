/* The wrapper layer: what every generated wrapper does around its PMPI call. */
#ifndef COREWISE_PMPI_LAYER_H
#define COREWISE_PMPI_LAYER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../store/clock.h"

struct cw_request_template;

/* One call in progress. */
struct cw_span {
  uint64_t begin;
  uint64_t end;
  struct cw_request_template* request_template; /* not NULL: takes the events, for a persistent request */
};

/* True between MPI_Init and MPI_Finalize while an observer takes events. */
extern bool cw_recording;

/* Is this thread in a wrapper? MPI calls that a call makes inside (Fortran over C, a library over itself) are
 * part of it. */
extern __thread bool cw_in_wrapper __attribute__((tls_model("initial-exec")));

/* Before the PMPI call. False: nothing is recorded of it, just forward. */
static inline bool cw_enter(struct cw_span* span) {
  if (!cw_recording || cw_in_wrapper) return false;
  cw_in_wrapper = true;
  span->request_template = NULL;
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
static inline void cw_leave(void) { cw_in_wrapper = false; }

/* At the begin of MPI_Init, at its end where it succeeded, and at the begin of MPI_Finalize. The first makes
 * the job's MPI visible where it was opened as a plug-in (RTLD_LOCAL). */
void cw_layer_prepare(void);
void cw_layer_start(void);
void cw_layer_finish(void);

#endif
