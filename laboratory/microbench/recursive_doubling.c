/** Recursive-doubling all-gather: in step k rank i exchanges 2^k blocks with rank i xor 2^k.
 *
 *  SMP-CMP paper, section IV.A (after Thakur, Rabenseifner, Gropp 2005). Needs a power of two of ranks.
 * --sizes: of one rank's block.
 */
#include "bench.h"

static void* prepare(const bench* b) {
  if ((b->n_ranks & (b->n_ranks - 1)) != 0) {
    bench_refuse(b, "recursive-doubling: %d ranks; expected a power of two", b->n_ranks);
    return NULL;
  }
  if (b->size_bytes * (size_t)b->n_ranks / 2 > INT32_MAX) {
    bench_refuse(b, "recursive-doubling: the last message would be %zu bytes; expected less than 2 GiB",
                 b->size_bytes * (size_t)b->n_ranks / 2);
    return NULL;
  }
  return bench_gather_prepare(b);
}

static void run(const bench* b, void* state) {
  for (int group = 1; group < b->n_ranks; group *= 2) {
    const int partner = b->rank ^ group;
    const int mine = b->rank & ~(group - 1); /* first block that this rank's group has */
    const int theirs = partner & ~(group - 1);
    bench_sendrecv(b, bench_block(b, state, mine), partner, bench_block(b, state, theirs), partner,
                   (size_t)group * b->size_bytes);
  }
}

int main(int argc, char** argv) {
  bench_option none[] = {{0}};
  benchmark self = {.name = "recursive-doubling",
                    .sentence = "recursive-doubling all-gather of a power of two of ranks (SMP-CMP paper)",
                    .sizes = "1024,32768,131072",
                    .options = none,
                    .prepare = prepare,
                    .run = run,
                    .check = bench_gather_check};
  return bench_main(argc, argv, &self);
}
