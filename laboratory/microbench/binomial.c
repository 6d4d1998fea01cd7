/** Binomial-tree broadcast from rank 0. --sizes: of the whole message.
 *
 *  order paper: in step k = 0, 1, ... rank i < 2^k sends to i + 2^k (SMP-CMP paper, section IV.A).
 *  order mpich: in step k = ..., 1, 0 each multiple i of 2^(k+1) sends to i + 2^k (MPICH's
 *  MPIR_Bcast_intra_binomial). */
#include <string.h>

#include "bench.h"

static void* prepare(const bench* b) {
  const char* order = bench_text(b, "order");
  if (strcmp(order, "paper") != 0 && strcmp(order, "mpich") != 0) {
    bench_refuse(b, "binomial: order '%s'; expected 'paper' or 'mpich'", order);
    return NULL;
  }
  unsigned char* message = bench_alloc(b->size_bytes);
  if (b->rank == 0) bench_fill(message, b->size_bytes, 0);
  return message;
}

static void transfer(const bench* b, void* message, int src, int dst) {
  if (dst >= b->n_ranks) return;
  if (b->rank == src) {
    bench_count_send(b, dst, b->size_bytes);
    MPI_Send(message, (int)b->size_bytes, MPI_BYTE, dst, 0, MPI_COMM_WORLD);
  } else if (b->rank == dst) {
    MPI_Recv(message, (int)b->size_bytes, MPI_BYTE, src, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

static void run_paper(const bench* b, void* message) {
  for (int distance = 1; distance < b->n_ranks; distance *= 2) {
    if (b->rank < distance) transfer(b, message, b->rank, b->rank + distance);
    if (b->rank >= distance && b->rank < 2 * distance) transfer(b, message, b->rank - distance, b->rank);
  }
}

static void run_mpich(const bench* b, void* message) {
  int largest = 1;
  while (largest < b->n_ranks) largest *= 2;
  for (int distance = largest / 2; distance > 0; distance /= 2) {
    if (b->rank % (2 * distance) == 0) transfer(b, message, b->rank, b->rank + distance);
    if (b->rank % (2 * distance) == distance) transfer(b, message, b->rank - distance, b->rank);
  }
}

static void run(const bench* b, void* state) {
  if (bench_text(b, "order")[0] == 'p') {
    run_paper(b, state);
  } else {
    run_mpich(b, state);
  }
}

static bool check(const bench* b, const void* state) { return bench_is_filled(state, b->size_bytes, 0); }

int main(int argc, char** argv) {
  bench_option options[] = {{"order", "paper", "whose order of steps: paper or mpich"}, {0}};
  benchmark self = {.name = "binomial",
                    .sentence = "binomial-tree broadcast from rank 0 (SMP-CMP paper)",
                    .sizes = "1024,32768,131072",
                    .options = options,
                    .prepare = prepare,
                    .run = run,
                    .check = check};
  return bench_main(argc, argv, &self);
}
