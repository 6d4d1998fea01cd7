/* The verify observer. At the end of MPI_Init it writes the rank's affinity mask and the environment
 * variables that choose its devices; at MPI_Finalize the masks and CPU times of all threads, which of them
 * MPI_Init started, and the GPUs whose device files are open. */
#ifndef COREWISE_VERIFY_VERIFY_H
#define COREWISE_VERIFY_VERIFY_H

#include "../pmpi/observer.h"

extern const struct cw_observer cw_verify_observer;

#endif
