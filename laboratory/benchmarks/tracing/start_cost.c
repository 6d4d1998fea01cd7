/* An empty program for laboratory/benchmarks/tracing/start_cost.py.
 * Each rank appends its seconds in MPI_Init and in MPI_Finalize to the file in its last argument, because
 * nothing can be sent after MPI_Finalize. Such a short line is written at once. */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* MPI_Wtime() may not be called before MPI_Init. */
static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

int main(int argc, char** argv) {
  char line[64];
  const int file = open(argv[argc - 1], O_WRONLY | O_APPEND);
  const double start = now();
  MPI_Init(&argc, &argv);
  const double init = now() - start;
  MPI_Barrier(MPI_COMM_WORLD);
  const double end = now();
  MPI_Finalize();
  const int length = snprintf(line, sizeof line, "%.6f %.6f\n", init, now() - end);
  return write(file, line, (size_t)length) != length;
}
