/* The wrapper layer: what every generated wrapper does around its PMPI call. */
#ifndef COREWISE_PMPI_LAYER_H
#define COREWISE_PMPI_LAYER_H

#include <stdbool.h>
#include <stdint.h>

#include "../store/clock.h"

struct cw_recipe;

/* One call in progress. */
struct cw_span {
  uint64_t begin;
  uint64_t end;
  struct cw_recipe* recipe; /* not NULL: events are kept for each start of a persistent request */
};

/* True between MPI_Init and MPI_Finalize while an observer wants events. */
extern bool cw_listening;

/* Calls that a call makes inside (Fortran over C, a library over itself) are part of it. */
extern __thread bool cw_inside __attribute__((tls_model("initial-exec")));

/* False: just forward. */
static inline bool cw_enter(struct cw_span* span) {
  if (!cw_listening || cw_inside) return false;
  cw_inside = true;
  span->recipe = 0;
  span->begin = cw_ticks();
  return true;
}

/* After the PMPI call; the arguments may be looked at if it succeeded, so a wrong one is reported by MPI, not
 * by us. */
static inline bool cw_leave(struct cw_span* span, int result) {
  span->end = cw_ticks();
  return result == 0; /* MPI_SUCCESS */
}

/* After the notes. */
static inline void cw_done(void) { cw_inside = false; }

/* At the end of MPI_Init and the begin of MPI_Finalize. */
void cw_layer_start(void);
void cw_layer_finish(void);

/* Makes the job's MPI visible where it was opened as a plug-in (RTLD_LOCAL); before the first PMPI call. */
void cw_layer_find_mpi(void);

#endif
