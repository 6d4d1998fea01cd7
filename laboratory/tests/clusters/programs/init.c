/* An MPI program that only begins and ends: the test checks where its ranks may run. */
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  return MPI_Finalize();
}
