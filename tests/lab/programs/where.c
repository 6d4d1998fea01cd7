/* Prints each rank's host, after every pair of ranks has exchanged a message. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, n_ranks, length, n_heard = 0;
  char host[MPI_MAX_PROCESSOR_NAME];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
  MPI_Get_processor_name(host, &length);
  int* mine = malloc(n_ranks * sizeof *mine);
  int* heard = malloc(n_ranks * sizeof *heard);
  for (int peer = 0; peer < n_ranks; ++peer) mine[peer] = rank;
  for (int round = 0; round < 3; ++round) MPI_Alltoall(mine, 1, MPI_INT, heard, 1, MPI_INT, MPI_COMM_WORLD);
  for (int peer = 0; peer < n_ranks; ++peer) n_heard += heard[peer] == peer;
  if (n_heard == n_ranks) printf("rank %d on %s\n", rank, host);
  fflush(stdout);
  return MPI_Finalize();
}
