/* An MPI program whose one rank sends itself a message: the test of corewise-runtime records it. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int sent = 42;
  int received = 0;
  MPI_Init(&argc, &argv);
  MPI_Sendrecv(&sent, 1, MPI_INT, 0, 0, &received, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  printf("received %d\n", received);
  return MPI_Finalize();
}
