/* Prints each rank's host, after a number that every rank adds one to has gone round once.
 *
 * One message at a time: where ranks that share few cores all connect to each other at once, those of Open
 * MPI 4.1.4 over TCP sometimes crash. With the argument "mpich" all ranks connect afterwards nevertheless:
 * MPICH 4.0.2 over UCX waits in MPI_Finalize for ranks that were never spoken to.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, n_ranks, length, hops = 0;
  char host[MPI_MAX_PROCESSOR_NAME];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
  MPI_Get_processor_name(host, &length);
  const int before = (rank + n_ranks - 1) % n_ranks, after = (rank + 1) % n_ranks;
  if (rank > 0) MPI_Recv(&hops, 1, MPI_INT, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  const int sent = hops + 1;
  MPI_Send(&sent, 1, MPI_INT, after, 0, MPI_COMM_WORLD);
  if (rank == 0) MPI_Recv(&hops, 1, MPI_INT, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (hops == (rank > 0 ? rank : n_ranks)) printf("rank %d on %s\n", rank, host);
  fflush(stdout);
  if (argc > 1 && strcmp(argv[1], "mpich") == 0) {
    int* all = calloc(2 * (size_t)n_ranks, sizeof *all);
    for (int i = 0; i < 3; ++i) MPI_Alltoall(all, 1, MPI_INT, all + n_ranks, 1, MPI_INT, MPI_COMM_WORLD);
  }
  return MPI_Finalize();
}
