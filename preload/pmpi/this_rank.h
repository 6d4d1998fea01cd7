/* Which rank of the job this process is, for the observers of this library. */
#ifndef COREWISE_PMPI_THIS_RANK_H
#define COREWISE_PMPI_THIS_RANK_H

#include <stdbool.h>
#include <stdint.h>

struct cw_this_rank {
  int32_t rank;     /* of MPI_COMM_WORLD, or of the process set mpi://WORLD; -1 before MPI is started */
  bool has_world;   /* MPI_COMM_WORLD is there: MPI was started by MPI_Init and not by a session alone */
  bool is_spawned;  /* by MPI_Comm_spawn: its MPI_COMM_WORLD is not the job's */
  bool is_threaded; /* two of its threads may be in MPI at the same time */
};

/* Set by the layer before observers are started. */
extern struct cw_this_rank cw_this_rank;

/* True for one process of each node, as far as that is known without the node's file. */
bool cw_this_rank_reports(void);

#endif
