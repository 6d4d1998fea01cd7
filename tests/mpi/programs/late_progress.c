/* Rank 1 calls MPI_Iprobe for 0.3 s after MPI_Comm_free, while rank 0 is already in MPI_Finalize. Then MPICH
 * before 4.2.0 hangs over UCX's TCP (docs/reference/pgas.md). With -DONLY_LATE this is a library to preload.
 */
#include <mpi.h>
#include <stddef.h>

int MPI_Comm_free(MPI_Comm* comm) {
  const int code = PMPI_Comm_free(comm);
  int rank, found;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const double end = MPI_Wtime() + 0.3;
  while (rank == 1 && MPI_Wtime() < end) MPI_Iprobe(0, 1, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
  return code;
}

#ifndef ONLY_LATE
int main(void) {
  int rank, word = 0;
  MPI_Comm pair;
  MPI_Init(NULL, NULL);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &pair);
  MPI_Sendrecv_replace(&word, 1, MPI_INT, 1 - rank, 0, 1 - rank, 0, pair, MPI_STATUS_IGNORE);
  MPI_Comm_free(&pair);
  MPI_Finalize();
  return 0;
}
#endif
