/* Rank 1 polls for two messages of rank 0, first with MPI_Iprobe, then with MPI_Test. Rank 0 sends each after
 * 0.3 s. */
#include <mpi.h>

static void compute(double seconds) {
  const double end = MPI_Wtime() + seconds;
  while (MPI_Wtime() < end) {
  }
}

int main(int argc, char** argv) {
  int rank, found = 0, word = 0;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    for (int i = 0; i < 2; ++i) {
      compute(0.3);
      MPI_Send(&word, 1, MPI_INT, 1, i, MPI_COMM_WORLD);
    }
  } else if (rank == 1) {
    MPI_Barrier(MPI_COMM_SELF);
    while (!found) MPI_Iprobe(0, 0, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
    MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Irecv(&word, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &request);
    for (found = 0; !found;) MPI_Test(&request, &found, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
