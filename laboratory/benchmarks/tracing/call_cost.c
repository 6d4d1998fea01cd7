/* Time of a call: one rank that sends to itself, or two ranks with windows of 64 messages, 8 bytes each.
 * Takes the minimum of several repetitions.
 * Prints ns per call (one rank: CPU time; two ranks: wall time per message), and ns of a pair of rdtsc. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#ifdef __x86_64__
#include <x86intrin.h>
#endif

enum { kRepetitions = 40, kSteps = 5000, kWindow = 64, kWindows = 200 };

static MPI_Comm comm;

static double now_ns(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* Irecv, Send, Wait: three calls per step, one of which carries a message. */
static double self_ns(void) {
  char out[8] = {0}, in[8];
  const double begin = now_ns(CLOCK_PROCESS_CPUTIME_ID);
  for (int i = 0; i < kSteps; ++i) {
    MPI_Request request;
    MPI_Irecv(in, 8, MPI_BYTE, 0, 0, comm, &request);
    MPI_Send(out, 8, MPI_BYTE, 0, 0, comm);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  return (now_ns(CLOCK_PROCESS_CPUTIME_ID) - begin) / kSteps / 3;
}

/* ns per message: an Isend on one rank, an Irecv on the other, and a 64th of a Waitall and of an answer. */
static double window_ns(int rank) {
  static char out[8], in[kWindow][8];
  MPI_Request requests[kWindow];
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = now_ns(CLOCK_MONOTONIC);
  for (int w = 0; w < kWindows; ++w) {
    for (int i = 0; i < kWindow; ++i) {
      if (rank == 0) MPI_Isend(out, 8, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &requests[i]);
      if (rank == 1) MPI_Irecv(in[i], 8, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &requests[i]);
    }
    MPI_Waitall(kWindow, requests, MPI_STATUSES_IGNORE);
    if (rank == 0) MPI_Recv(in, 8, MPI_BYTE, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1) MPI_Send(out, 8, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
  }
  return (now_ns(CLOCK_MONOTONIC) - begin) / kWindows / kWindow;
}

/* The lower limit of any timing, in the same run. */
static double rdtsc_pair_ns(void) {
#ifdef __x86_64__
  unsigned long long sum = 0;
  const double begin = now_ns(CLOCK_PROCESS_CPUTIME_ID);
  for (int i = 0; i < kSteps; ++i) sum += __rdtsc() + __rdtsc();
  const double ns = (now_ns(CLOCK_PROCESS_CPUTIME_ID) - begin) / kSteps;
  return sum == 0 ? 0 : ns;
#else
  return 0;
#endif
}

int main(int argc, char** argv) {
  int rank, n;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  if (argc == 2 && strcmp(argv[1], "duplicate") == 0) {
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  } else {
    comm = MPI_COMM_WORLD;
  }
  double call = 1e30, pair = 1e30;
  for (int i = 0; i < kRepetitions; ++i) {
    const double found = n == 1 ? self_ns() : window_ns(rank);
    const double floor = rdtsc_pair_ns();
    call = found < call ? found : call;
    pair = floor < pair ? floor : pair;
  }
  if (rank == 0) printf("%.3f %.3f\n", call, pair);
  MPI_Finalize();
  return 0;
}
