/* Usage: simulated WHAT BYTES ROUNDS. Programs for the tests of simulations, compiled by SimGrid's smpicc and
 * by an MPI's mpicc. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, n, bytes, rounds;
static char *out, *in;

static void exchange(int to, int from) {
  MPI_Sendrecv(out, bytes, MPI_BYTE, to, 1, in, bytes, MPI_BYTE, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Ranks 0 and 1 send in turn. */
static void pingpong(void) {
  if (rank < 2 && rank == 0) MPI_Send(out, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
  if (rank < 2) MPI_Recv(in, bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 1) MPI_Send(out, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
}

/* Each rank of the first half sends to one of the second half, all at the same time. */
static void pairs(void) {
  const int partner = (rank + n / 2) % n;
  if (rank < n / 2) MPI_Send(out, bytes, MPI_BYTE, partner, 0, MPI_COMM_WORLD);
  if (rank >= n / 2) MPI_Recv(in, bytes, MPI_BYTE, partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void requests(void) {
  MPI_Request open[4];
  const int next = (rank + 1) % n, previous = (rank + n - 1) % n;
  MPI_Irecv(in, bytes, MPI_BYTE, previous, 2, MPI_COMM_WORLD, &open[0]);
  MPI_Irecv(in + bytes, bytes, MPI_BYTE, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &open[1]);
  MPI_Isend(out, bytes, MPI_BYTE, next, 2, MPI_COMM_WORLD, &open[2]);
  MPI_Isend(out, 0, MPI_BYTE, next, 3, MPI_COMM_WORLD, &open[3]);
  MPI_Wait(&open[1], MPI_STATUS_IGNORE);
  MPI_Waitall(4, open, MPI_STATUSES_IGNORE);
}

static void collectives(void) {
  int counts[16], places[16];
  for (int i = 0; i < n; ++i) {
    counts[i] = bytes / (1 + i % 3);
    places[i] = bytes * i;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Bcast(out, bytes, MPI_BYTE, 1, MPI_COMM_WORLD);
  MPI_Reduce(out, in, bytes, MPI_BYTE, MPI_BOR, 0, MPI_COMM_WORLD);
  MPI_Allreduce(out, in, bytes, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD);
  MPI_Allreduce(out, in, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /* fewer elements than ranks */
  MPI_Gather(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
  MPI_Scatter(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
  MPI_Allgather(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, MPI_COMM_WORLD);
  MPI_Alltoall(out, bytes, MPI_BYTE, in, bytes, MPI_BYTE, MPI_COMM_WORLD);
  MPI_Allgatherv(out, counts[rank], MPI_BYTE, in, counts, places, MPI_BYTE, MPI_COMM_WORLD);
  MPI_Gatherv(out, counts[rank], MPI_BYTE, in, counts, places, MPI_BYTE, 1, MPI_COMM_WORLD);
  MPI_Scatterv(out, counts, places, MPI_BYTE, in, counts[rank], MPI_BYTE, 1, MPI_COMM_WORLD);
  MPI_Reduce_scatter(out, in, counts, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD);
  MPI_Reduce_scatter_block(out, in, bytes, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD);
  MPI_Scan(out, in, bytes, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD);
}

static void broadcasts(void) {
  MPI_Bcast(out, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
  exchange((rank + 1) % n, (rank + n - 1) % n);
}

static void alltoallv(void) {
  int sent[16], received[16], places[16];
  for (int i = 0; i < n; ++i) {
    sent[i] = received[i] = bytes / (1 + (rank + i) % 3);
    places[i] = bytes * i;
  }
  MPI_Alltoallv(out, sent, places, MPI_BYTE, in, received, places, MPI_BYTE, MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  const char* what = argc > 1 ? argv[1] : "";
  bytes = argc > 2 ? atoi(argv[2]) : 0;
  rounds = argc > 3 ? atoi(argv[3]) : 1;
  out = calloc((size_t)(bytes + 1) * 16, 1);
  in = calloc((size_t)(bytes + 1) * 16, 1);
  for (int i = 0; i < rounds; ++i) {
    if (!strcmp(what, "pingpong")) pingpong();
    if (!strcmp(what, "pairs")) pairs();
    if (!strcmp(what, "ring")) exchange((rank + 1) % n, (rank + n - 1) % n);
    if (!strcmp(what, "requests")) requests();
    if (!strcmp(what, "collectives")) collectives();
    if (!strcmp(what, "alltoallv")) alltoallv();
    if (!strcmp(what, "broadcasts")) broadcasts();
    if (!strcmp(what, "abort") && rank == 1) MPI_Abort(MPI_COMM_WORLD, 7);
    if (!strcmp(what, "leave") && rank == 1) exit(0);
    if (!strcmp(what, "deadlock") && rank == 1)
      MPI_Recv(in, 1, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (!strcmp(what, "hang") && rank == 1) pause();
    if (!strcmp(what, "memory"))
      for (size_t k = 0; memset(malloc(1 << 26), 1, 4096); ++k) continue;
  }
  free(out);
  free(in);
  MPI_Finalize();
  return 0;
}
