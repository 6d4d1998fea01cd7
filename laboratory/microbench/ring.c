/** Logical ring all-gather: in each of p-1 steps every rank sends a block to its right neighbour.
 *
 *  SMP-CMP paper, section IV.A (after Thakur, Rabenseifner, Gropp 2005). --sizes: of one rank's block.
 */
#include "bench.h"

static void run(const bench* b, void* state) {
  const int right = (b->rank + 1) % b->n_ranks;
  const int left = (b->rank + b->n_ranks - 1) % b->n_ranks;
  for (int step = 0; step < b->n_ranks - 1; ++step) {
    const int outgoing = (b->rank + b->n_ranks - step) % b->n_ranks;
    const int incoming = (left + b->n_ranks - step) % b->n_ranks;
    bench_sendrecv(b, bench_block(b, state, outgoing), right, bench_block(b, state, incoming), left,
                   b->size_bytes);
  }
}

int main(int argc, char** argv) {
  bench_option none[] = {{0}};
  benchmark self = {.name = "ring",
                    .sentence = "logical ring all-gather, p-1 steps (SMP-CMP paper)",
                    .sizes = "1024,32768,131072",
                    .options = none,
                    .prepare = bench_gather_prepare,
                    .run = run,
                    .check = bench_gather_check};
  return bench_main(argc, argv, &self);
}
