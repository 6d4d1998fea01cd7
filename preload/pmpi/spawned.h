/* Which of the MPI_COMM_WORLDs of a job spawned processes are in. */
#ifndef COREWISE_PMPI_SPAWNED_H
#define COREWISE_PMPI_SPAWNED_H

#include <stdbool.h>

enum { CW_WORLD_NAME_BYTES = 32 };

/* Names the MPI_COMM_WORLD of this process, which was spawned: the same name in all its processes, and
 * another one for each call of MPI_Comm_spawn. Nothing is sent. Under MPICH's Hydra the name is that of one
 * node: the processes that a call starts on another node have another name. False: neither PMIx nor Hydra
 * started it. */
bool cw_spawned_world(char name[CW_WORLD_NAME_BYTES]);

#endif
