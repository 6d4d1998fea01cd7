/* Uses MPI's tool interface: with `first` opened after MPI_Init, with `last` after MPI_Finalize. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static void count_variables(void) {
  int level, n_control = -1, n_performance = -1;
  MPI_T_init_thread(MPI_THREAD_SINGLE, &level);
  MPI_T_cvar_get_num(&n_control);
  MPI_T_pvar_get_num(&n_performance);
  printf("%d and %d variables\n", n_control, n_performance);
}

int main(int argc, char** argv) {
  const int last = argc > 1 && strcmp(argv[1], "last") == 0;
  MPI_Init(&argc, &argv);
  if (!last) count_variables();
  for (int i = 0; i < 1000; ++i) MPI_Barrier(MPI_COMM_WORLD);
  if (!last) MPI_T_finalize();
  MPI_Finalize();
  if (last) count_variables();
  return 0;
}
