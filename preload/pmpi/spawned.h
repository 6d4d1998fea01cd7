/* Which of the MPI_COMM_WORLDs of a job spawned processes are in. */
#ifndef COREWISE_PMPI_SPAWNED_H
#define COREWISE_PMPI_SPAWNED_H

#include <stdbool.h>
#include <stdint.h>

enum { CW_WORLD_NAME_BYTES = 32 };

/* Names the MPI_COMM_WORLD of this process, which was spawned: the same name in all its processes, and
 * another one for each call of MPI_Comm_spawn. Nothing is sent. Under MPICH's Hydra the name is that of one
 * node: the processes that a call starts on another node have another name. False: neither PMIx nor Hydra
 * started it. */
bool cw_spawned_world(char name[CW_WORLD_NAME_BYTES]);

/* Was this process spawned? As Hydra and Open MPI tell it before MPI_Init. */
bool cw_has_spawner(void);

/* Hashes of the names that Open MPI has for this process and for the one that spawned it; 0: not known, as
 * under other MPIs. */
uint64_t cw_process_name(void);
uint64_t cw_spawner_name(void);

#endif
