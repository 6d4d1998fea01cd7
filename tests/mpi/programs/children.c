/* Rank 0 starts a shell after MPI_Init. The shell prints its variables LD_PRELOAD and COREWISE_*. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  int rank, status = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) status = system("env | grep -E '^(LD_PRELOAD|COREWISE_)'; true");
  MPI_Finalize();
  return status;
}
