/* The verify observer. */
#ifndef COREWISE_VERIFY_VERIFY_H
#define COREWISE_VERIFY_VERIFY_H

#include "../pmpi/observer.h"

/* Writes the affinity mask of the rank at the end of MPI_Init; at MPI_Finalize those of all its threads,
 * their CPU time, and which of them MPI_Init started. */
extern const struct cw_observer cw_verify_observer;

#endif
