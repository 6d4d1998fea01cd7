/* Which operations a watched MPI call starts and completes, and what its statuses say. */
#ifndef COREWISE_PMPI_COMPLETIONS_H
#define COREWISE_PMPI_COMPLETIONS_H

#include <stdbool.h>

#include "calls/arguments.h"
#include "calls/mpi_symbols.h"
#include "requests.h"
#include "watch.h"

/* The next four functions are called before the PMPI call. */

/* Saves the handles of requests that the call may complete or free, because MPI changes them. */
void cw_watch_requests(struct cw_watch* watch, MPI_Count n, struct cw_requests requests);

/* Saves the handle of the matched message (MPI_Mprobe) that the call receives. The receive is then complete,
 * or continues as the request that the call returns. */
void cw_watch_message(struct cw_watch* watch, MPI_Message message);

/* Returns space for `n` statuses: `given`, or a buffer of this library if the program ignores statuses. */
MPI_Status* cw_watch_statuses(struct cw_watch* watch, MPI_Count n, MPI_Status* given);
void* cw_watch_fortran_statuses(struct cw_watch* watch, MPI_Count n, void* given);

/* The following are called after cw_watch_end(). Indices start at `base`: 0 in C, 1 in Fortran. */

void cw_watch_got(struct cw_watch* watch, bool flag);      /* a receive or probe; `flag`: it got a message */
void cw_watch_all_done(struct cw_watch* watch, bool flag); /* `flag`: all requests are complete, else none */
void cw_watch_any_done(struct cw_watch* watch, bool flag, int index, int base);
void cw_watch_some_done(struct cw_watch* watch, int n, struct cw_counts indices, int base);

/* The call started an operation and returned this request. */
void cw_watch_posts(struct cw_watch* watch, MPI_Request request);

/* MPI_Mprobe, after cw_watch_got(): the message found can now be received only through `message`. This counts
 * as an operation that is complete when the message is received. */
void cw_watch_probed(struct cw_watch* watch, MPI_Message message);

/* MPI_Imrecv: the call returned this request for the message that it received. */
void cw_watch_request_of_message(struct cw_watch* watch, MPI_Request request);

/* The call created or started a persistent request, or frees a request of any kind. */
void cw_watch_prepares(struct cw_watch* watch, struct cw_request* request);
void cw_watch_starts(struct cw_watch* watch, struct cw_request* request);
void cw_watch_gives_back(struct cw_watch* watch, const struct cw_request* request);

#endif
