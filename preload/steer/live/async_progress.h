/* Asynchronous progress: a thread of this rank that calls MPI while a send is under way, so that the send
 * continues while the program computes. MPI must have been started with MPI_THREAD_MULTIPLE. */
#ifndef COREWISE_STEER_ASYNC_PROGRESS_H
#define COREWISE_STEER_ASYNC_PROGRESS_H

#include <stdbool.h>

/* Starts the thread, unless it runs already. Whether it runs. */
bool cw_async_progress_start(void);

/* Ends it; before MPI_Finalize, and by itself where the process exits without. */
void cw_async_progress_finish(void);

#endif
