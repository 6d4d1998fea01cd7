/** Logical ring all-gather: in each of p-1 steps every rank passes a block on to its right neighbour.
 *
 *  SMP-CMP paper, section IV.A (after Thakur, Rabenseifner, Gropp 2005). --sizes is one rank's block.
 */
#include "bench.h"

static unsigned char* block_of(const bench* b, void* state, int rank) {
  return (unsigned char*)state + (size_t)rank * b->size_bytes;
}

static void* prepare(const bench* b) {
  unsigned char* blocks = bench_alloc((size_t)b->n_ranks * b->size_bytes);
  bench_fill(block_of(b, blocks, b->rank), b->size_bytes, b->rank);
  return blocks;
}

static void run(const bench* b, void* state) {
  const int right = (b->rank + 1) % b->n_ranks;
  const int left = (b->rank + b->n_ranks - 1) % b->n_ranks;
  for (int step = 0; step < b->n_ranks - 1; ++step) {
    const int passed_on = (b->rank + b->n_ranks - step) % b->n_ranks;
    const int arriving = (left + b->n_ranks - step) % b->n_ranks;
    bench_sendrecv(b, block_of(b, state, passed_on), right, block_of(b, state, arriving), left,
                   b->size_bytes);
  }
}

static bool check(const bench* b, const void* state) {
  const unsigned char* blocks = state;
  for (int rank = 0; rank < b->n_ranks; ++rank) {
    if (!bench_is_filled(blocks + (size_t)rank * b->size_bytes, b->size_bytes, rank)) return false;
  }
  return true;
}

int main(int argc, char** argv) {
  bench_option none[] = {{0}};
  benchmark self = {.name = "ring",
                    .sentence = "logical ring all-gather, p-1 steps (SMP-CMP paper)",
                    .sizes = "1024,32768,131072",
                    .options = none,
                    .prepare = prepare,
                    .run = run,
                    .check = check};
  return bench_main(argc, argv, &self);
}
