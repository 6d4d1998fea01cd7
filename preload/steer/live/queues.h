/* The queues monitor: messages and receives that wait for each other in MPI, as MPI_T tells. */
#ifndef COREWISE_STEER_QUEUES_H
#define COREWISE_STEER_QUEUES_H

#include <stdbool.h>

#include "snapshot.h"

/* After MPI_Init. False: this MPI has no such variable. */
bool cw_queues_start(void);

/* Sets `unexpected` and `posted` to what waits now of MPI_COMM_WORLD; -1 where that is not known. */
void cw_queues_read(struct cw_rank_sample* rank);

/* Before MPI_Finalize. */
void cw_queues_finish(void);

#endif
