/* The verify observer. Writes the rank's mask at the end of MPI_Init; at MPI_Finalize the masks and CPU times
 * of all threads, and which of them MPI_Init started. */
#ifndef COREWISE_VERIFY_VERIFY_H
#define COREWISE_VERIFY_VERIFY_H

#include "../pmpi/observer.h"

extern const struct cw_observer cw_verify_observer;

#endif
