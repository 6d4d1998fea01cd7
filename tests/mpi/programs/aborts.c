/* Barriers for .4 s; then the last rank calls MPI_Abort. */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char** argv) {
  int rank, n_ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
  for (int round = 0; round < 20; ++round) {
    MPI_Barrier(MPI_COMM_WORLD);
    usleep(20000);
  }
  if (rank == n_ranks - 1) MPI_Abort(MPI_COMM_WORLD, 9);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
