/* Time of MPI_Send if PMPI_Send does nothing: the cost of a tool's wrapper without the noise of MPI.
 * Usage: wrapper_cost world|duplicate
 * Prints the least CPU time of a call over all repetitions, and that of a pair of rdtsc. Only use it with a
 * tool: without one, MPI_Send of the MPI library doesn't call PMPI_Send. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#ifdef __x86_64__
#include <x86intrin.h>
#endif

enum { kRepetitions = 300, kSteps = 20000 };

/* The dynamic linker finds this function before the MPI library's, because the program is linked with
 * -rdynamic. */
__attribute__((noinline)) int PMPI_Send(const void* buf, int count, MPI_Datatype type, int dest, int tag,
                                        MPI_Comm comm) {
  __asm__ volatile("" ::"r"(buf), "r"(count), "r"(type), "r"(dest), "r"(tag), "r"(comm));
  return MPI_SUCCESS;
}

static double now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static double call_ns(MPI_Comm comm) {
  char byte = 0;
  const double begin = now_ns();
  for (int i = 0; i < kSteps; ++i) MPI_Send(&byte, 1, MPI_BYTE, 0, 0, comm);
  return (now_ns() - begin) / kSteps;
}

static double rdtsc_pair_ns(void) {
#ifdef __x86_64__
  unsigned long long sum = 0;
  const double begin = now_ns();
  for (int i = 0; i < kSteps; ++i) sum += __rdtsc() + __rdtsc();
  const double ns = (now_ns() - begin) / kSteps;
  return sum == 0 ? 0 : ns;
#else
  return 0;
#endif
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm comm = MPI_COMM_WORLD;
  if (argc == 2 && strcmp(argv[1], "duplicate") == 0) MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  double call = 1e30, pair = 1e30;
  for (int i = 0; i < kRepetitions; ++i) {
    const double found = call_ns(comm), floor = rdtsc_pair_ns();
    call = found < call ? found : call;
    pair = floor < pair ? floor : pair;
  }
  printf("%.3f %.3f\n", call, pair);
  MPI_Finalize();
  return 0;
}
