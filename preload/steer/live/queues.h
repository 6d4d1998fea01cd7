/* The queues monitor: messages that MPI received before the program asked for them, as MPI_T tells. */
#ifndef COREWISE_STEER_QUEUES_H
#define COREWISE_STEER_QUEUES_H

#include <stdbool.h>
#include <stdint.h>

/* After MPI_Init. False: this MPI has no such variable. */
bool cw_queues_start(void);

/* How many of MPI_COMM_WORLD wait now; -1 where that is not known. */
int64_t cw_queues_unexpected(void);

/* Before MPI_Finalize. */
void cw_queues_finish(void);

#endif
