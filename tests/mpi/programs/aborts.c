/* Usage: aborts [abort|kill]. After .4 s of barriers rank 0 prints the files that it shares in memory, and
 * the last rank calls MPI_Abort or is killed. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* From /proc/self/maps, which still has the names of removed files. */
static void print_shared_files(void) {
  char line[4352]; /* enough for a path of 4096 bytes */
  FILE* maps = fopen("/proc/self/maps", "r");
  while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
    const char* path = strstr(line, "/dev/shm/");
    if (path != NULL) fputs(path, stdout);
  }
  if (maps != NULL) fclose(maps);
  fflush(stdout);
}

int main(int argc, char** argv) {
  int rank, n_ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
  for (int round = 0; round < 20; ++round) {
    MPI_Barrier(MPI_COMM_WORLD);
    usleep(20000);
  }
  if (rank == 0) print_shared_files();
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == n_ranks - 1 && argc == 2) {
    if (strcmp(argv[1], "kill") == 0) kill(getpid(), SIGKILL);
    MPI_Abort(MPI_COMM_WORLD, 9);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
