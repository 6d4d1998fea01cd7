/* Recorders of persistent operations: what the call that makes one would count is counted at each start. */
#ifndef COREWISE_PMPI_RECORD_PERSISTENT_H
#define COREWISE_PMPI_RECORD_PERSISTENT_H

#include <stdint.h>

#include "arguments.h"
#include "layer.h"
#include "mpi_symbols.h"

/* Around the recorder of the call that makes `request`: between the two, its events are kept for the starts
 * of the request. The second also counts that call itself. */
void cw_record_persistent_begin(struct cw_span* span);
void cw_record_persistent_end(uint16_t call, struct cw_span* span, MPI_Request request);

/* Before the start of each request: the call may give it another handle, as Open MPI does for a buffered send
 * whose last message has not left yet. */
void cw_record_starting(struct cw_span* span, MPI_Request request);
void cw_record_starting_all(struct cw_span* span, int n, struct cw_requests requests);

/* One start of each request, with the handles that they have now. */
void cw_record_start(uint16_t call, const struct cw_span* span, MPI_Request request);
void cw_record_startall(uint16_t call, const struct cw_span* span, int n, struct cw_requests requests);

/* The request is about to be freed: its handle may be given to another one. */
void cw_record_request_free(struct cw_span* span, MPI_Request request);

#endif
