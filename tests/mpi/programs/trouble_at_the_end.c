/* Usage: trouble_at_the_end RANK PLACE HOW. Ranks 0 and 1 exchange messages. Then rank 0 sends itself more
 * messages, so that steering's message to the other node is under way. Then a fault happens in rank RANK.
 * - PLACE: "before" (before MPI_Finalize) or "NUMBER FUNCTION": the preload library's NUMBER-th call of that
 * function (from 1) in MPI_Finalize. "NUMBER PMPI_Allgather" counts calls in MPI_Init.
 * - HOW: "late", the call takes an extra second; "refused", the call does nothing and fails; "failed", the
 * call does its work and reports failure; "gone", the process ends.
 * The rank prints whether there was such a call. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char* function = "";
static const char* how;
static int left; /* calls of the function until the one with the fault; 0: no call is left */
static int is_near;

/* Whether the call of `name` that returns to `caller` is the one with the fault. */
static int is_here(const char* name, const void* caller) {
  Dl_info found;
  if (!is_near || left == 0 || strcmp(name, function) != 0 || dladdr(caller, &found) == 0 ||
      strstr(found.dli_fname, "libcorewise_pmpi") == NULL)
    return 0;
  return --left == 0;
}

static void happen(void) {
  if (strcmp(how, "late") == 0) sleep(1);
  if (strcmp(how, "gone") == 0) _exit(0);
}

#define PASSED_ON(name, parameters, arguments)                                \
  int name parameters {                                                       \
    int(*const next) parameters = (int(*) parameters)dlsym(RTLD_NEXT, #name); \
    if (!is_here(#name, __builtin_return_address(0))) return next arguments;  \
    happen();                                                                 \
    if (strcmp(how, "refused") == 0) return MPI_ERR_OTHER;                    \
    const int result = next arguments;                                        \
    return strcmp(how, "failed") == 0 ? MPI_ERR_OTHER : result;               \
  }

PASSED_ON(PMPI_Allgather,
          (const void* from, int n_from, MPI_Datatype type_from, void* to, int n_to, MPI_Datatype type_to,
           MPI_Comm comm),
          (from, n_from, type_from, to, n_to, type_to, comm))
PASSED_ON(PMPI_Comm_free, (MPI_Comm * comm), (comm))
PASSED_ON(PMPI_Ibarrier, (MPI_Comm comm, MPI_Request* request), (comm, request))
PASSED_ON(PMPI_Iprobe, (int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status),
          (source, tag, comm, flag, status))
PASSED_ON(PMPI_Test, (MPI_Request * request, int* flag, MPI_Status* status), (request, flag, status))

/* Rank 0 on the first PU that this process may use, rank 1 on the second. */
static void bind_to_pu(int rank) {
  cpu_set_t all, one;
  sched_getaffinity(0, sizeof all, &all);
  CPU_ZERO(&one);
  for (int pu = 0; pu < CPU_SETSIZE; ++pu)
    if (CPU_ISSET(pu, &all) && rank-- == 0) CPU_SET(pu, &one);
  sched_setaffinity(0, sizeof one, &one);
}

static void exchange(int rank, double until) {
  int last = 0, other = 0;
  while (!last && !other) {
    last = rank == 0 && MPI_Wtime() > until;
    MPI_Sendrecv(&last, 1, MPI_INT, 1 - rank, 0, &other, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  }
}

static void send_to_itself(double until) {
  int out = 0, in;
  while (MPI_Wtime() < until)
    MPI_Sendrecv(&out, 1, MPI_INT, 0, 1, &in, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
  const char* given = getenv("OMPI_COMM_WORLD_RANK");
  if (given == NULL) given = getenv("PMI_RANK");
  const int rank = atoi(given);
  const int is_it = strcmp(given, argv[1]) == 0;
  const int is_before = strcmp(argv[2], "before") == 0;
  how = argv[3];
  if (is_it && !is_before) {
    left = atoi(argv[2]);
    function = strchr(argv[2], ' ') + 1;
  }
  bind_to_pu(rank);
  is_near = strcmp(function, "PMPI_Allgather") == 0;
  MPI_Init(&argc, &argv);
  exchange(rank, MPI_Wtime() + 0.5);
  if (rank == 0) send_to_itself(MPI_Wtime() + 0.1);
  if (rank == 1) usleep(200000); /* rank 1 receives nothing during this time */
  is_near = 1;
  if (is_it && is_before) happen();
  MPI_Finalize();
  if (is_it) puts(left == 0 ? "it happened" : "there are fewer");
  return 0;
}
