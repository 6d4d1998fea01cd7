/* One rank creates and frees 100,000 communicators and sends itself 1,000,000 messages. Prints how many KiB
 * its memory grew after the first tenth of both. */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

static long memory_kib(void) {
  long pages = 0, resident = 0;
  FILE* file = fopen("/proc/self/statm", "r");
  if (file == NULL || fscanf(file, "%ld %ld", &pages, &resident) != 2) resident = 0;
  if (file != NULL) fclose(file);
  return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

static void tenth(void) {
  long out = 0, in = 0;
  for (int i = 0; i < 10000; ++i) {
    MPI_Comm made;
    MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &made);
    MPI_Comm_free(&made);
  }
  for (int i = 0; i < 100000; ++i)
    MPI_Sendrecv(&out, 1, MPI_LONG, 0, 0, &in, 1, MPI_LONG, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  tenth();
  const long first = memory_kib();
  for (int i = 1; i < 10; ++i) tenth();
  printf("grown %ld KiB\n", memory_kib() - first);
  MPI_Finalize();
  return 0;
}
