/* Each rank sends 1,000 bytes to the next one, again and again for SECONDS (first argument). */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  char out[1000] = {0}, in[1000];
  int rank, size, last = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const double end = MPI_Wtime() + (argc > 1 ? atof(argv[1]) : 0);
  while (!last) {
    MPI_Sendrecv(out, sizeof out, MPI_CHAR, (rank + 1) % size, 0, in, sizeof in, MPI_CHAR,
                 (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    last = MPI_Wtime() > end;
    MPI_Bcast(&last, 1, MPI_INT, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
