/** Communication idleness: pairs of ranks compute for different times, then exchange messages.
 *
 *  Scogland et al., section V-A1 (Figures 6 and 7). In a step, every rank computes, then its pair exchanges
 *  --messages messages in each direction. --load-ms is the longest computation, on an undisturbed core;
 * --ratio, the paper's variable, is the longest over the shortest. With --unlike pairs, as in the paper,
 * computation decreases evenly from the first to the last pair. With --unlike ranks, the ranks of a pair
 * differ, because a node with two cores has no two pairs whose cores could be swapped. --busy last reverses
 * the order. --change N reverses it after every N steps, including warm-up, to produce phases.
 */
#include <stdlib.h>
#include <string.h>

#include "pairs.h"

typedef struct {
  rank_pair pair;
  long units[2]; /* of computation in a step: in the initial order, and in reverse order */
  long done;     /* number of steps so far */
} state;

/** From 0 for ranks that compute longest to 1 for those that compute shortest. */
static double place_of(const bench* b, const rank_pair* pair) {
  const int n_pairs = b->n_ranks / 2;
  if (strcmp(bench_text(b, "unlike"), "ranks") == 0) return pair->is_first ? 0 : 1;
  return (double)(pair->is_first ? b->rank : pair->partner) / (n_pairs - 1);
}

static bool is_word(const bench* b, const char* name, const char* one, const char* other) {
  const char* word = bench_text(b, name);
  if (strcmp(word, one) == 0 || strcmp(word, other) == 0) return true;
  bench_refuse(b, "idleness: --%s '%s'; expected %s or %s", name, word, one, other);
  return false;
}

static bool fits(const bench* b) {
  if (!pairs_fit(b, "idleness") || !is_word(b, "unlike", "pairs", "ranks") ||
      !is_word(b, "busy", "first", "last"))
    return false;
  const double ratio = bench_number(b, "ratio");
  if (!(ratio >= 1)) {
    bench_refuse(b, "idleness: --ratio %g; expected 1 or more", ratio);
    return false;
  }
  if (b->n_ranks == 2 && strcmp(bench_text(b, "unlike"), "pairs") == 0) {
    bench_refuse(b, "idleness: one pair of ranks; expected two pairs or more, or --unlike ranks");
    return false;
  }
  return true;
}

static void* prepare(const bench* b) {
  if (!fits(b)) return NULL;
  state* s = bench_alloc(sizeof *s);
  s->pair = pair_of(b);
  const double place = place_of(b, &s->pair);
  const double less = 1 - 1 / bench_number(b, "ratio");
  const double most = (double)units_of_ms(bench_number(b, "load-ms"));
  const int first = strcmp(bench_text(b, "busy"), "first") == 0 ? 0 : 1;
  s->units[first] = (long)(most * (1 - place * less));
  s->units[1 - first] = (long)(most * (1 - (1 - place) * less));
  return s;
}

static void run(const bench* b, void* of_run) {
  state* s = of_run;
  const long n_steps = (long)bench_number(b, "steps"), n_messages = (long)bench_number(b, "messages");
  const long change = (long)bench_number(b, "change");
  for (long step = 0; step < n_steps; ++step, ++s->done) {
    compute_units(s->units[change > 0 ? s->done / change % 2 : 0]);
    for (long i = 0; i < n_messages; ++i) pair_exchange(b, &s->pair);
  }
}

static bool check(const bench* b, const void* of_run) {
  const bool sends = bench_number(b, "steps") >= 1 && bench_number(b, "messages") >= 1;
  return !sends || pair_received(b, &((const state*)of_run)->pair);
}

static int n_steps(const bench* b) {
  const int steps = (int)bench_number(b, "steps");
  return steps > 0 ? steps : 1;
}

static void release(void* of_run) {
  pair_free(&((state*)of_run)->pair);
  free(of_run);
}

int main(int argc, char** argv) {
  bench_option options[] = {
      {"ratio", "2", "most computation of a step over the least"},
      {"load-ms", "4", "the most computation of a step, ms on an undisturbed core"},
      {"messages", "1", "messages each way in a step"},
      {"steps", "5", "steps in one timed run, whose time is divided by them"},
      {"unlike", "pairs", "what computes for unlike times: pairs, or the ranks of a pair"},
      {"busy", "first", "who computes most: first or last"},
      {"change", "0", "steps after which the order turns round; 0: never"},
      {0}};
  benchmark self = {.name = "idleness",
                    .sentence = "pairs compute for unlike times and exchange (Scogland et al., V-A1)",
                    .sizes = "1024",
                    .options = options,
                    .prepare = prepare,
                    .run = run,
                    .check = check,
                    .n_sequential_messages = n_steps,
                    .release = release};
  return bench_main(argc, argv, &self);
}
