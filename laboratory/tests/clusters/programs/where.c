/* Passes a number around all ranks, to which each adds one. Then each rank prints its host.
 *
 * There is one message at a time: if ranks that share few cores all connect at once, ranks of Open MPI 4.1.4
 * over TCP sometimes crash. With the argument "mpich", all ranks connect to each other afterwards, because
 * MPICH 4.0.2 over UCX waits in MPI_Finalize for ranks without a connection. With "silent" no rank sends.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The number of ranks that added one before this rank; in rank 0, the number of all ranks. */
static int passed(int rank, int n_ranks) {
  const int before = (rank + n_ranks - 1) % n_ranks, after = (rank + 1) % n_ranks;
  int hops = 0;
  if (rank > 0) MPI_Recv(&hops, 1, MPI_INT, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  const int sent = hops + 1;
  MPI_Send(&sent, 1, MPI_INT, after, 0, MPI_COMM_WORLD);
  if (rank == 0) MPI_Recv(&hops, 1, MPI_INT, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return hops;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const char* mode = argc > 1 ? argv[1] : "";
  int rank, n_ranks, length;
  char host[MPI_MAX_PROCESSOR_NAME];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
  MPI_Get_processor_name(host, &length);
  const int expected = rank > 0 ? rank : n_ranks;
  if (strcmp(mode, "silent") == 0 || passed(rank, n_ranks) == expected) printf("rank %d on %s\n", rank, host);
  fflush(stdout);
  if (strcmp(mode, "mpich") == 0) {
    int* all = calloc(2 * (size_t)n_ranks, sizeof *all);
    for (int i = 0; i < 3; ++i) MPI_Alltoall(all, 1, MPI_INT, all + n_ranks, 1, MPI_INT, MPI_COMM_WORLD);
  }
  return MPI_Finalize();
}
