/** Out-of-sync communication: a large transfer, then a long computation on both sides, in alternating
 * directions.
 *
 *  Scogland et al., section V-A2 (Figure 8). The message size is the paper's variable. In the paper, MPI_Send
 *  returned while MPICH2 still had the data. Today it waits for the receiver, so this uses MPI_Isend, and
 * waits for it after the computation.
 */
#include <stdlib.h>

#include "pairs.h"

typedef struct {
  rank_pair pair;
  long units; /* of computation after each transfer */
} state;

static void* prepare(const bench* b) {
  if (!pairs_fit(b, "out-of-sync")) return NULL;
  state* s = bench_alloc(sizeof *s);
  s->pair = pair_of(b);
  s->units = units_of_ms(bench_number(b, "load-ms"));
  return s;
}

static void send_and_compute(const bench* b, const state* s) {
  MPI_Request request;
  bench_count_send(b, s->pair.partner, b->size_bytes);
  MPI_Isend(s->pair.out, (int)b->size_bytes, MPI_BYTE, s->pair.partner, 0, MPI_COMM_WORLD, &request);
  compute_units(s->units);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void receive_and_compute(const bench* b, const state* s) {
  MPI_Recv(s->pair.in, (int)b->size_bytes, MPI_BYTE, s->pair.partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  compute_units(s->units);
}

static void run(const bench* b, void* of_run) {
  const state* s = of_run;
  const long n_steps = (long)bench_number(b, "steps");
  for (long step = 0; step < n_steps; ++step) {
    for (int direction = 0; direction < 2; ++direction) {
      const bool sends = s->pair.is_first == (direction == 0);
      (sends ? send_and_compute : receive_and_compute)(b, s);
    }
  }
}

static bool check(const bench* b, const void* of_run) {
  return bench_number(b, "steps") < 1 || pair_received(b, &((const state*)of_run)->pair);
}

static int n_transfers(const bench* b) {
  const int steps = (int)bench_number(b, "steps");
  return steps > 0 ? 2 * steps : 1;
}

static void release(void* of_run) {
  pair_free(&((state*)of_run)->pair);
  free(of_run);
}

int main(int argc, char** argv) {
  bench_option options[] = {{"load-ms", "10", "computation after a transfer, ms on an undisturbed core"},
                            {"steps", "2", "transfers there and back in one timed run"},
                            {0}};
  benchmark self = {.name = "out-of-sync",
                    .sentence = "large transfers, each followed by computation (Scogland et al., V-A2)",
                    .sizes = "65536,262144,524288,1048576,4194304",
                    .options = options,
                    .prepare = prepare,
                    .run = run,
                    .check = check,
                    .n_sequential_messages = n_transfers,
                    .release = release};
  return bench_main(argc, argv, &self);
}
