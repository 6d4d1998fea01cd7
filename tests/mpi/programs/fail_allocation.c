/* Usage: fail_allocation RANK NUMBER. In rank RANK the preload library's NUMBER-th allocation (from 1) in
 * MPI_Init fails. Then all ranks exchange a few messages. The rank prints whether there was such an
 * allocation. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern void* __libc_malloc(size_t bytes);
extern void* __libc_calloc(size_t n, size_t bytes);
extern void* __libc_realloc(void* memory, size_t bytes);

static int left; /* allocations until the one that fails; 0: none is left to fail */

/* Whether the allocation that returns to `caller` must fail. */
static int fails(const void* caller) {
  Dl_info found;
  if (left == 0 || dladdr(caller, &found) == 0 || strstr(found.dli_fname, "libcorewise_pmpi") == NULL)
    return 0;
  return --left == 0;
}

void* malloc(size_t bytes) { return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(bytes); }

void* calloc(size_t n, size_t bytes) {
  return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(n, bytes);
}

void* realloc(void* memory, size_t bytes) {
  return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(memory, bytes);
}

int main(int argc, char** argv) {
  const char* given = getenv("OMPI_COMM_WORLD_RANK");
  if (given == NULL) given = getenv("PMI_RANK");
  const int number = strcmp(given, argv[1]) == 0 ? atoi(argv[2]) : 0;
  left = number;
  MPI_Init(&argc, &argv);
  const int failed = number > 0 && left == 0;
  left = 0;
  int rank, n, sum = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  for (int i = 0; i < 10; ++i) {
    int before;
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % n, 0, &before, 1, MPI_INT, (rank + n - 1) % n, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sum += before;
  }
  MPI_Finalize();
  if (sum != 10 * ((rank + n - 1) % n)) return 1;
  if (number > 0) puts(failed ? "failed" : "there are fewer");
  return 0;
}
