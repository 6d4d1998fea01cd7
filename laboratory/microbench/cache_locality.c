/** Cache locality: some ranks of each node work on data from the other node, the others on their own data.
 *
 *  Scogland et al., section V-A3 (Figure 9). The first half of the ranks is one node, the second half the
 * other. On each, --talkers ranks exchange messages with their counterparts on the other node and read all
 * received data. The others exchange messages with neighbours and read their own block of --block-kib KiB.
 * --load is the paper's variable: how often a rank reads its data in a step. With --talkers-at last, the
 * talkers are the last ranks of a node instead of the first.
 */
#include <stdlib.h>
#include <string.h>

#include "pairs.h"

typedef struct {
  rank_pair pair;
  bool talks;
  size_t block_bytes;
  unsigned char* block; /* data that this rank reads in addition to messages; empty for talkers */
  unsigned long sum;    /* of all data read, so that the compiler doesn't remove the reading */
} state;

/** Number of talkers on a node: by default at least half of the ranks, such that the rest is even. */
static int talkers_of(const bench* b) {
  const int on_node = b->n_ranks / 2, wanted = (int)bench_number(b, "talkers");
  if (wanted > 0) return wanted;
  return on_node - on_node / 4 * 2;
}

static bool fits(const bench* b) {
  if (!pairs_fit(b, "cache-locality")) return false;
  const int on_node = b->n_ranks / 2, talkers = talkers_of(b);
  if (talkers > on_node || (on_node - talkers) % 2 != 0) {
    bench_refuse(b,
                 "cache-locality: %d of the %d ranks of a node talk to the other node; expected an even "
                 "number of others, which exchange with each other",
                 talkers, on_node);
    return false;
  }
  const char* at = bench_text(b, "talkers-at");
  if (strcmp(at, "first") == 0 || strcmp(at, "last") == 0) return true;
  bench_refuse(b, "cache-locality: --talkers-at '%s'; expected first or last", at);
  return false;
}

/** The rank to exchange messages with: the counterpart of a talker, or a neighbour among the others. */
static int partner_of(const bench* b, int talkers, bool* talks) {
  const int on_node = b->n_ranks / 2, base = b->rank / on_node * on_node;
  const bool at_first = strcmp(bench_text(b, "talkers-at"), "first") == 0;
  const int first_other = base + (at_first ? talkers : 0), place = b->rank - first_other;
  *talks = place < 0 || place >= on_node - talkers;
  return *talks ? (b->rank + on_node) % b->n_ranks : first_other + (place ^ 1);
}

static void* prepare(const bench* b) {
  if (!fits(b)) return NULL;
  state* s = bench_alloc(sizeof *s);
  s->pair = pair_of(b);
  s->pair.partner = partner_of(b, talkers_of(b), &s->talks);
  s->pair.is_first = b->rank < s->pair.partner;
  s->block_bytes = s->talks ? 0 : (size_t)bench_number(b, "block-kib") * 1024;
  s->block = bench_alloc(s->block_bytes);
  memset(s->block, 1, s->block_bytes);
  return s;
}

static unsigned long sum_of(const unsigned char* block, size_t bytes) {
  unsigned long sum = 0;
  for (size_t i = 0; i < bytes; ++i) sum += block[i];
  return sum;
}

static void run(const bench* b, void* of_run) {
  state* s = of_run;
  const long n_steps = (long)bench_number(b, "steps"), load = (long)bench_number(b, "load");
  for (long step = 0; step < n_steps; ++step) {
    pair_exchange(b, &s->pair);
    for (long pass = 0; pass < load; ++pass) {
      s->sum += sum_of(s->pair.in, b->size_bytes);
      s->sum += sum_of(s->block, s->block_bytes);
    }
  }
}

static bool check(const bench* b, const void* of_run) {
  return bench_number(b, "steps") < 1 || pair_received(b, &((const state*)of_run)->pair);
}

static int n_steps(const bench* b) {
  const int steps = (int)bench_number(b, "steps");
  return steps > 0 ? steps : 1;
}

static void release(void* of_run) {
  state* s = of_run;
  pair_free(&s->pair);
  free(s->block);
  free(s);
}

int main(int argc, char** argv) {
  bench_option options[] = {{"load", "1", "passes over what a rank works on, in a step"},
                            {"talkers", "0", "ranks of each node that talk to the other; 0: half of them"},
                            {"talkers-at", "first", "which ranks of a node those are: first or last"},
                            {"block-kib", "1024", "private KiB that every other rank works on"},
                            {"steps", "5", "steps in one timed run, whose time is divided by them"},
                            {0}};
  benchmark self = {.name = "cache-locality",
                    .sentence = "some ranks talk to the other node, others stay home (Scogland et al., V-A3)",
                    .sizes = "262144",
                    .options = options,
                    .prepare = prepare,
                    .run = run,
                    .check = check,
                    .n_sequential_messages = n_steps,
                    .release = release};
  return bench_main(argc, argv, &self);
}
