/* Which operations a watched MPI call starts, which ones it completes, and what its statuses report. */
#ifndef COREWISE_PMPI_COMPLETIONS_H
#define COREWISE_PMPI_COMPLETIONS_H

#include <stdbool.h>

#include "arguments.h"
#include "mpi_symbols.h"
#include "requests.h"
#include "watch.h"

/* The next four are called before the PMPI call. */

/* Notes the requests that the call may complete or free. Afterwards MPI has changed their handles. */
void cw_watch_requests(struct cw_watch* watch, MPI_Count n, struct cw_requests requests);

/* Notes the matched message (MPI_Mprobe) that the call receives. The receive is complete after the call, or
 * continues as the request that the call returns. */
void cw_watch_message(struct cw_watch* watch, MPI_Message message);

/* Returns room for `n` statuses: `given`, or our own memory if the program ignores statuses. */
MPI_Status* cw_watch_statuses(struct cw_watch* watch, MPI_Count n, MPI_Status* given);
void* cw_watch_fortran_statuses(struct cw_watch* watch, MPI_Count n, void* given);

/* The others are called after cw_watch_end(). Indices count from `base`: 0 in C, 1 in Fortran. */

void cw_watch_got(struct cw_watch* watch, bool flag);      /* a receive or probe; `flag`: it got a message */
void cw_watch_all_done(struct cw_watch* watch, bool flag); /* `flag`: all requests are complete, else none */
void cw_watch_any_done(struct cw_watch* watch, bool flag, int index, int base);
void cw_watch_some_done(struct cw_watch* watch, int n, struct cw_counts indices, int base);

/* The call returned this new request. */
void cw_watch_posts(struct cw_watch* watch, MPI_Request request);

/* After cw_watch_got(), for MPI_Mprobe: only a receive of `message` can get the message that was found. The
 * operation continues until then. */
void cw_watch_probed(struct cw_watch* watch, MPI_Message message);

/* MPI_Imrecv: the call returned this request for the message that it received. */
void cw_watch_request_of_message(struct cw_watch* watch, MPI_Request request);

/* For persistent requests: the call created one, started one, or frees one. Freeing is for any kind. */
void cw_watch_prepares(struct cw_watch* watch, struct cw_request* request);
void cw_watch_starts(struct cw_watch* watch, struct cw_request* request);
void cw_watch_gives_back(struct cw_watch* watch, const struct cw_request* request);

#endif
