/* Recorders of persistent requests. The message of a persistent request is counted at each start. */
#ifndef COREWISE_PMPI_RECORD_PERSISTENT_H
#define COREWISE_PMPI_RECORD_PERSISTENT_H

#include <stdint.h>

#include "calls/arguments.h"
#include "calls/gate.h"
#include "calls/mpi_symbols.h"

/* Before and after the recorder of the call that creates `request`. In between, events are stored in the
 * request. The second function also counts the call itself. */
void cw_record_persistent_begin(struct cw_span* span);
void cw_record_persistent_end(uint16_t call, struct cw_span* span, MPI_Request request);

/* Called before the start, because MPI may change the handle: Open MPI does for a buffered send whose
 * previous message has not left yet. */
void cw_record_starting(struct cw_span* span, MPI_Request request);
void cw_record_starting_all(struct cw_span* span, int n, struct cw_requests requests);

/* Counts one start of each request. `request`: its handle after the call. */
void cw_record_start(uint16_t call, const struct cw_span* span, MPI_Request request);
void cw_record_startall(uint16_t call, const struct cw_span* span, int n, struct cw_requests requests);

/* Before the request is freed: MPI may give its handle to another request. */
void cw_record_request_free(struct cw_span* span, MPI_Request request);

#endif
