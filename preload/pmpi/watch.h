/* A call that observers watch: what they are told of it is gathered around the PMPI call. The generated
 * wrappers come here where the thread's gate says so; all other calls pay nothing for it. */
#ifndef COREWISE_PMPI_WATCH_H
#define COREWISE_PMPI_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "layer.h"
#include "mpi_symbols.h"
#include "observer.h"

struct cw_group;

struct cw_watch {
  struct cw_span span;          /* for the recorders */
  struct cw_call call;          /* for the observers */
  struct cw_event count;        /* what it adds to the profile, where that is one event, as mostly */
  const struct cw_group* group; /* of its communicator; NULL: none, or not resolved */
  const void* requests;         /* those that it may complete, as the program passes them */
  bool in_fortran;              /* are these of Fortran? */
  const uint64_t* handles;      /* theirs before the call, as numbers */
  uint32_t n_handles;
  uint64_t begun;                    /* operations that had begun before the call (cw_requests_complete()) */
  struct cw_completion* completions; /* room for as many */
  struct cw_operation* operations;
  const void* statuses; /* NULL: none are known */
};

/* Before the PMPI call, in this order: what its arguments say, then `before` of the observers. MPI has not
 * checked these arguments yet: a missing array of requests is passed over; an invalid communicator or
 * datatype comes to the program's error handler from here already, where MPI is asked what it is. */
void cw_watch_begin(struct cw_watch* watch, uintptr_t gate, uint16_t call);
void cw_watch_comm(struct cw_watch* watch, MPI_Comm comm);
void cw_watch_sends(struct cw_watch* watch, int dest, int tag, MPI_Count count, MPI_Datatype type);
void cw_watch_receives(struct cw_watch* watch, int source, int tag, MPI_Count count, MPI_Datatype type);
void cw_watch_probes(struct cw_watch* watch, int source, int tag);
void cw_watch_waits(struct cw_watch* watch);  /* it returns only when what it waits for is there */
void cw_watch_blocks(struct cw_watch* watch); /* it may take until others have done their part */
void cw_watch_before(struct cw_watch* watch);

/* Right after it; true: it succeeded, and recorders may read its arguments. */
bool cw_watch_end(struct cw_watch* watch, int result);

/* After the recorders: what the call has waited for, then `after` of the observers. */
void cw_watch_after(struct cw_watch* watch);

/* By cw_emit(): the call adds this to the profile, behind what it added before. */
void cw_watch_count_more(struct cw_watch* watch, const struct cw_event* event);

#endif
