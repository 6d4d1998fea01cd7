/* Rank 0 prints "ready". Then each rank prints the number of the signal that it gets. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static volatile sig_atomic_t got;
static void keep(int number) { got = number; }

int main(int argc, char** argv) {
  int rank;
  signal(SIGUSR1, keep);
  signal(SIGUSR2, keep);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) puts("ready");
  fflush(stdout);
  for (int i = 0; i < 6000 && got == 0; ++i) usleep(10000);
  printf("got %d\n", got);
  return MPI_Finalize();
}
