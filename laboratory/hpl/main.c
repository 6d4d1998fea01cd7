/* HPL as a separate program: hpcc's copy is a function of hpcc, which starts MPI and chooses defaults
 * around it. */
#include <stdio.h>

#include "hpl.h"

int main(int argc, char** argv) {
  HPL_RuntimeData fastest = {.Gflops = 0};
  int failed = 0;
  MPI_Init(&argc, &argv);
  HPL_main(argc, argv, &fastest, &failed);
  MPI_Finalize();
  return failed;
}

/* What HPL calls where its input can't be read: hpcc continues with defaults there, HPL by itself ends. */
int HPCC_Defaults() {
  fprintf(stderr, "xhpl: HPL.dat is missing or wrong\n");
  return MPI_Abort(MPI_COMM_WORLD, 1);
}
