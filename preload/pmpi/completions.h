/* Operations of watched calls: which ones a call posts, which ones it completes, and what statuses say. */
#ifndef COREWISE_PMPI_COMPLETIONS_H
#define COREWISE_PMPI_COMPLETIONS_H

#include <stdbool.h>

#include "arguments.h"
#include "mpi_symbols.h"
#include "requests.h"
#include "watch.h"

/* Before the PMPI call. */

/* The requests that it may complete, or gives back: MPI will change the handles. */
void cw_watch_requests(struct cw_watch* watch, MPI_Count n, struct cw_requests requests);

/* The message that it receives: what took it is complete then, or continues under the request that the call
 * makes. */
void cw_watch_message(struct cw_watch* watch, MPI_Message message);

/* Where `n` statuses are to be written: `given`, or memory of ours where the program ignores them. */
MPI_Status* cw_watch_statuses(struct cw_watch* watch, MPI_Count n, MPI_Status* given);
void* cw_watch_fortran_statuses(struct cw_watch* watch, MPI_Count n, void* given);

/* After cw_watch_end(). Indices count from `base`: 0 in C, 1 in Fortran. */

void cw_watch_got(struct cw_watch* watch,
                  bool flag); /* the message of a receive or probe; `flag`: there is one */
void cw_watch_all_done(struct cw_watch* watch, bool flag); /* all requests, or none */
void cw_watch_any_done(struct cw_watch* watch, bool flag, int index, int base);
void cw_watch_some_done(struct cw_watch* watch, int n, struct cw_counts indices, int base);

/* The call made this request. */
void cw_watch_posts(struct cw_watch* watch, MPI_Request request);

/* After cw_watch_got(): the probe took the message that it found, so that only `message` receives it. From
 * here on it is under way. */
void cw_watch_probed(struct cw_watch* watch, MPI_Message message);

/* The call made this request of the message that it was given. */
void cw_watch_request_of_message(struct cw_watch* watch, MPI_Request request);

/* By recorders of persistent requests: the call made one, started one, or gives one back (of any kind). */
void cw_watch_prepares(struct cw_watch* watch, struct cw_request* request);
void cw_watch_starts(struct cw_watch* watch, struct cw_request* request);
void cw_watch_gives_back(struct cw_watch* watch, const struct cw_request* request);

#endif
