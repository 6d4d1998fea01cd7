/* Usage: steered_memory SECONDS PAGES. Two ranks on one core each, on different packages. Rank 0 computes all
 * the time, and takes twice as long on the first package. Rank 1 waits for it.
 *
 * Each rank first touches PAGES pages. At the end it prints its number, its CPU, the NUMA node of the CPU,
 * and how many of its pages are on nodes 0 and 1. */
#define _GNU_SOURCE
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { FIRST_OF_SECOND_PACKAGE = 4, PUS_OF_CORE = 2 };

static void bind_to_core_of_package(int package) {
  cpu_set_t core;
  CPU_ZERO(&core);
  for (int i = 0; i < PUS_OF_CORE; ++i) CPU_SET(package * FIRST_OF_SECOND_PACKAGE + i, &core);
  sched_setaffinity(0, sizeof core, &core);
}

static void compute(double seconds) {
  const double end = MPI_Wtime() + (sched_getcpu() < FIRST_OF_SECOND_PACKAGE ? 2 * seconds : seconds);
  while (MPI_Wtime() < end) continue;
}

static char* touched(long n_pages) {
  const size_t bytes = (size_t)(n_pages * sysconf(_SC_PAGESIZE));
  char* block = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (block == MAP_FAILED) exit(2);
  madvise(block, bytes, MADV_NOHUGEPAGE);
  memset(block, 1, bytes);
  return block;
}

static void print(int rank, char* block, long n_pages) {
  long n_on[2] = {0, 0};
  unsigned cpu, node;
  for (long i = 0; i < n_pages; ++i) {
    void* page = block + i * sysconf(_SC_PAGESIZE);
    int status = -1;
    if (syscall(SYS_move_pages, 0, 1UL, &page, NULL, &status, 0) != 0) exit(3);
    if (status == 0 || status == 1) ++n_on[status];
  }
  getcpu(&cpu, &node);
  printf("rank %d cpu %u node %u pages %ld %ld\n", rank, cpu, node, n_on[0], n_on[1]);
}

int main(int argc, char** argv) {
  int rank, last = 0;
  if (argc != 3) return 1;
  bind_to_core_of_package(atoi(getenv("PMI_RANK")));
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  char* block = touched(atol(argv[2]));
  const double end = MPI_Wtime() + atof(argv[1]);
  while (!last) {
    if (rank == 0) compute(0.002);
    last = MPI_Wtime() > end;
    MPI_Bcast(&last, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  print(rank, block, atol(argv[2]));
  MPI_Finalize();
  return 0;
}
