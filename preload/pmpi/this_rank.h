/* Which rank of the job this process is. */
#ifndef COREWISE_PMPI_THIS_RANK_H
#define COREWISE_PMPI_THIS_RANK_H

#include <stdbool.h>
#include <stdint.h>

struct cw_this_rank {
  int32_t rank;     /* in MPI_COMM_WORLD, or in the process set mpi://WORLD; -1: MPI is not started yet */
  bool has_world;   /* MPI was started by MPI_Init, and not only by a session */
  bool is_spawned;  /* by MPI_Comm_spawn: its MPI_COMM_WORLD is not that of the job */
  bool is_threaded; /* several threads may be in MPI at the same time */
};

/* Set before observers are started. */
extern struct cw_this_rank cw_this_rank;

/* True on one process of each node, or on rank 0 if the launcher doesn't set local ranks. */
bool cw_this_rank_reports(void);

#endif
