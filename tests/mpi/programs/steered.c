/* Usage: steered SECONDS RATIO pair|self|threads. Two ranks, bound to one PU each, compute and meet; rank 0
 * computes RATIO times as long. At the end each prints its mask. With "self" no rank waits for the other.
 * With "threads" two threads of each rank call MPI. */
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank;
static double seconds;
static MPI_Comm comms[2];

/* The k-th PU that this process may use, for the k-th rank of its node. */
static void bind_to_own_pu(void) {
  const char* local = getenv("OMPI_COMM_WORLD_LOCAL_RANK");
  if (local == NULL) local = getenv("MPI_LOCALRANKID");
  cpu_set_t all, one;
  sched_getaffinity(0, sizeof all, &all);
  CPU_ZERO(&one);
  int left = atoi(local);
  for (int pu = 0; pu < CPU_SETSIZE; ++pu)
    if (CPU_ISSET(pu, &all) && left-- == 0) CPU_SET(pu, &one);
  sched_setaffinity(0, sizeof one, &one);
}

static void compute(double until) {
  while (MPI_Wtime() < until) continue;
}

/* Rank 0 sends the message for which rank 1 waits; or each rank sends to itself. */
static void meet(MPI_Comm comm, int* last) {
  int n_ranks, all;
  MPI_Comm_size(comm, &n_ranks);
  if (n_ranks == 1) {
    MPI_Allreduce(last, &all, 1, MPI_INT, MPI_MAX, comm);
  } else if (rank == 0) {
    MPI_Send(last, 1, MPI_INT, 1, 0, comm);
  } else {
    MPI_Recv(last, 1, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE);
  }
}

static void* run(void* comm) {
  const double end = MPI_Wtime() + seconds;
  for (int last = 0; !last;) {
    compute(MPI_Wtime() + (rank == 0 ? 0.001 : 0.0001));
    last = MPI_Wtime() > end;
    meet(*(MPI_Comm*)comm, &last);
  }
  return NULL;
}

static void print_mask(void) {
  cpu_set_t mask;
  sched_getaffinity(0, sizeof mask, &mask);
  for (int pu = 0; pu < CPU_SETSIZE; ++pu)
    if (CPU_ISSET(pu, &mask)) printf("rank %d may use %d\n", rank, pu);
}

int main(int argc, char** argv) {
  int provided;
  bind_to_own_pu();
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  seconds = atof(argv[1]);
  const MPI_Comm of = strcmp(argv[2], "self") == 0 ? MPI_COMM_SELF : MPI_COMM_WORLD;
  for (int i = 0; i < 2; ++i) MPI_Comm_dup(of, &comms[i]);
  if (strcmp(argv[2], "threads") == 0 && provided == MPI_THREAD_MULTIPLE) {
    pthread_t other;
    pthread_create(&other, NULL, run, &comms[1]);
    run(&comms[0]);
    pthread_join(other, NULL);
  } else {
    run(&comms[0]);
  }
  MPI_Finalize();
  print_mask();
  return 0;
}
