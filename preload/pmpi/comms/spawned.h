/* Identifies the MPI_COMM_WORLD of a spawned process. */
#ifndef COREWISE_PMPI_SPAWNED_H
#define COREWISE_PMPI_SPAWNED_H

#include <stdbool.h>
#include <stdint.h>

enum { CW_WORLD_NAME_BYTES = 32 };

/* Sets the name of this spawned process's MPI_COMM_WORLD: the same name in all its processes, a different one
 * for each call of MPI_Comm_spawn. Nothing is sent. Under MPICH's Hydra, the processes of one call must be on
 * one node, because each node has its own name. False: started neither by PMIx nor by Hydra. */
bool cw_spawned_world(char name[CW_WORLD_NAME_BYTES]);

/* Was this process spawned, according to the environment variables of Hydra and Open MPI? */
bool cw_has_spawner(void);

/* Hashes of Open MPI's names of this process and of the process that spawned it; 0: unknown, also in other
 * MPIs. */
uint64_t cw_process_name(void);
uint64_t cw_spawner_name(void);

#endif
