/* Rank 0 sends 20 messages a round; rank 1 asks for the last one, computes for 10 ms, and then asks for the
 * others, which wait in its MPI's queue meanwhile. late_receives SECONDS */
#include <mpi.h>
#include <stdlib.h>

enum { N_MESSAGES = 20 };

static void compute(double seconds) {
  const double end = MPI_Wtime() + seconds;
  while (MPI_Wtime() < end) continue;
}

static void receive(int tag) {
  int byte;
  MPI_Recv(&byte, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int n_rounds = (int)(atof(argv[1]) / 0.01);
  for (int round = 0; round < n_rounds; ++round) {
    if (rank == 0) {
      for (int tag = 0; tag < N_MESSAGES; ++tag) MPI_Send(&tag, 1, MPI_INT, 1, tag, MPI_COMM_WORLD);
    } else {
      receive(N_MESSAGES - 1);
      compute(0.01);
      for (int tag = 0; tag < N_MESSAGES - 1; ++tag) receive(tag);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
