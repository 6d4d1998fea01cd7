/* Which rank of the job this process is, for the observers of this library. */
#ifndef COREWISE_PMPI_THIS_RANK_H
#define COREWISE_PMPI_THIS_RANK_H

#include <stdbool.h>
#include <stdint.h>

struct cw_this_rank {
  int32_t rank;    /* of MPI_COMM_WORLD; -1 before MPI_Init */
  bool is_spawned; /* by MPI_Comm_spawn: its MPI_COMM_WORLD is not the job's */
};

/* Set by the layer before observers are started. */
extern struct cw_this_rank cw_this_rank;

/* True for one process of each node, as far as that is known without the node's file. */
bool cw_this_rank_reports(void);

#endif
