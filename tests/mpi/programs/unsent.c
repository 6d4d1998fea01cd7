/* Usage: unsent SECONDS. Rank 0 starts to send 4 MiB, computes for 20 ms and completes the send. Rank 1
 * receives, then computes. At the end rank 0 prints how many messages had arrived by the end of its
 * computing, whether MPI provides MPI_THREAD_MULTIPLE, and the names of its threads. */
#include <dirent.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { BYTES = 4 << 20 };

/* A clock that both ranks share. Open MPI's MPI_Wtime() starts at 0 in each process. */
static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void compute(double seconds) {
  const double end = now() + seconds;
  while (now() < end) continue;
}

static void print_threads(void) {
  int level;
  MPI_Query_thread(&level);
  printf("%s", level == MPI_THREAD_MULTIPLE ? "multiple" : "less");
  DIR* tasks = opendir("/proc/self/task");
  for (struct dirent* task; tasks != NULL && (task = readdir(tasks)) != NULL;) {
    char path[300], name[32];
    if (task->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "/proc/self/task/%s/comm", task->d_name);
    FILE* file = fopen(path, "r");
    if (file != NULL && fscanf(file, "%31s", name) == 1) printf(" %s", name);
    if (file != NULL) fclose(file);
  }
  printf("\n");
  if (tasks != NULL) closedir(tasks);
}

int main(int argc, char** argv) {
  int rank, early = 0;
  char* const bytes = calloc(1, BYTES);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  const double end = now() + atof(argv[1]);
  for (int goes_on = 1; goes_on;) {
    MPI_Request request;
    double arrived;
    if (rank == 0) {
      MPI_Isend(bytes, BYTES, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &request);
      compute(0.02);
      const double computed = now();
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      MPI_Recv(&arrived, 1, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      early += arrived < computed;
      goes_on = now() < end;
    } else {
      MPI_Recv(bytes, BYTES, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      arrived = now();
      MPI_Send(&arrived, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
      compute(0.02);
    }
    MPI_Bcast(&goes_on, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  if (rank == 0) {
    printf("%d ", early);
    print_threads();
  }
  MPI_Finalize();
  free(bytes);
  return 0;
}
