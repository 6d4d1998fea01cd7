/* Uses MPI's tool interface itself. Not after MPI_Finalize, which MPI allows: Open MPI 4.1 then reallocates
   freed memory (valgrind), and MPICH 4.0 crashes, with corewise and without. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int level, n_control = -1, n_performance = -1;
  MPI_Init(&argc, &argv);
  MPI_T_init_thread(MPI_THREAD_SINGLE, &level);
  MPI_T_cvar_get_num(&n_control);
  MPI_T_pvar_get_num(&n_performance);
  printf("%d and %d variables\n", n_control, n_performance);
  for (int i = 0; i < 1000; ++i) MPI_Barrier(MPI_COMM_WORLD);
  MPI_T_finalize();
  MPI_Finalize();
  return 0;
}
