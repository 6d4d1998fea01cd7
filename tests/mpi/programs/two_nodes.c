/* Usage: two_nodes SECONDS. Four ranks on two nodes, {0, 1} and {2, 3}. Rank 0 starts to send 1 MB to rank 2,
 * then computes without calling MPI, so that rank 2 waits. Ranks 1 and 3 exchange small messages. At the end
 * each rank prints its mask. */
#define _GNU_SOURCE
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

enum { BYTES = 1 << 20 };

static char data[BYTES];

/* Binds ranks 0 and 3 to the second PU that this process may use, the others to the first. */
static void bind_to_pu(int rank) {
  cpu_set_t all, one;
  sched_getaffinity(0, sizeof all, &all);
  CPU_ZERO(&one);
  int left = rank == 0 || rank == 3;
  for (int pu = 0; pu < CPU_SETSIZE; ++pu)
    if (CPU_ISSET(pu, &all) && left-- == 0) CPU_SET(pu, &one);
  sched_setaffinity(0, sizeof one, &one);
}

static void compute(double until) {
  while (MPI_Wtime() < until) continue;
}

static int send_and_compute(int last) {
  MPI_Request request;
  data[0] = (char)last;
  MPI_Isend(data, BYTES, MPI_BYTE, 2, 0, MPI_COMM_WORLD, &request);
  compute(MPI_Wtime() + 0.003);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  return last;
}

static int exchange(int last, int peer) {
  int other;
  compute(MPI_Wtime() + 0.001);
  MPI_Sendrecv(&last, 1, MPI_INT, peer, 1, &other, 1, MPI_INT, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return last || other;
}

int main(int argc, char** argv) {
  int rank;
  const char* given = getenv("OMPI_COMM_WORLD_RANK");
  if (given == NULL) given = getenv("PMI_RANK");
  bind_to_pu(atoi(given));
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const double end = MPI_Wtime() + atof(argv[1]);
  for (int last = 0; !last;) {
    last = MPI_Wtime() > end;
    if (rank == 0) {
      last = send_and_compute(last);
    } else if (rank == 2) {
      MPI_Recv(data, BYTES, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      last = data[0];
    } else {
      last = exchange(last, 4 - rank);
    }
  }
  MPI_Finalize();
  cpu_set_t mask;
  sched_getaffinity(0, sizeof mask, &mask);
  for (int pu = 0; pu < CPU_SETSIZE; ++pu)
    if (CPU_ISSET(pu, &mask)) printf("rank %d may use %d\n", rank, pu);
  return 0;
}
