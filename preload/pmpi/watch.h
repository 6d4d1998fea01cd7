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
  const struct cw_group* group; /* of its communicator; NULL: none, or not resolved */
};

/* Before the PMPI call, in this order: what its arguments say, then `before` of the observers. MPI has not
 * checked these arguments yet: wrong ones are passed over. */
void cw_watch_begin(struct cw_watch* watch, uintptr_t gate, uint16_t call);
void cw_watch_comm(struct cw_watch* watch, MPI_Comm comm);
void cw_watch_sends(struct cw_watch* watch, int dest, int tag, MPI_Count count, MPI_Datatype type);
void cw_watch_receives(struct cw_watch* watch, int source, int tag, MPI_Count count, MPI_Datatype type);
void cw_watch_probes(struct cw_watch* watch, int source, int tag);
void cw_watch_before(struct cw_watch* watch);

/* Right after it; true: it succeeded, and recorders may read its arguments. */
bool cw_watch_end(struct cw_watch* watch, int result);

/* After the recorders: `after` of the observers. */
void cw_watch_after(struct cw_watch* watch);

/* By cw_emit(): the call adds this to the profile. */
void cw_watch_count(struct cw_watch* watch, const struct cw_event* event);

#endif
