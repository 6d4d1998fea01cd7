/* Asynchronous progress: a thread that calls MPI while a send is incomplete, so that the send continues while
 * the program computes. Needs MPI_THREAD_MULTIPLE. */
#ifndef COREWISE_STEER_ASYNC_PROGRESS_H
#define COREWISE_STEER_ASYNC_PROGRESS_H

#include <stdbool.h>

/* Starts the thread, unless it is running. Is it running? */
bool cw_async_progress_start(void);

/* Ends the thread. Called before MPI_Finalize, and by itself if the process exits without MPI_Finalize. */
void cw_async_progress_finish(void);

#endif
