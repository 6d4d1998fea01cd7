/** Random pattern with a chosen ratio of communication between nodes to that within nodes (SMP-CMP paper,
 * IV.A.2).
 *
 *  Draws `intra-node` distinct ordered pairs of ranks within each node, and round(ratio x intra-node x nodes)
 *  distinct ordered pairs between nodes. All messages are posted with Isend and Irecv, then Waitall. --sizes:
 * of one message. Node k has the ranks from k x ranks-per-node on, however the launcher placed them.
 *  corewise.profile.patterns.random draws the same pairs: change both together.
 */
#include <stdlib.h>

#include "bench.h"

/** Ranks in blocks; only the last node may have fewer. */
typedef struct {
  int n_ranks, ranks_per_node, n_nodes;
  int on_whole_nodes; /**< number of ranks on nodes with ranks_per_node ranks */
} layout;

/** Messages of one rank: the same block goes to every destination; one block arrives from each source. */
typedef struct {
  int* destinations;
  int* sources;
  int n_destinations;
  int n_sources;
  unsigned char* sent;
  unsigned char* received; /**< [source, byte] */
  MPI_Request* requests;
} random_state;

/** SplitMix64 (Steele, Lea, Flood 2014): equal on all machines. */
static uint64_t next_random(uint64_t* generator) {
  uint64_t z = (*generator += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

static layout layout_of(const bench* b) {
  const double wanted = bench_number(b, "ranks-per-node");
  layout l = {.n_ranks = b->n_ranks};
  l.ranks_per_node = wanted >= 1 && wanted < b->n_ranks ? (int)wanted : b->n_ranks;
  l.n_nodes = (l.n_ranks + l.ranks_per_node - 1) / l.ranks_per_node;
  l.on_whole_nodes = l.n_ranks / l.ranks_per_node * l.ranks_per_node;
  return l;
}

static int ranks_of_node(const layout* l, int node) {
  const int rest = l->n_ranks - node * l->ranks_per_node;
  return rest < l->ranks_per_node ? rest : l->ranks_per_node;
}

/** Size of a pool of ordered pairs: pool k has those within node k, the last pool all those between nodes. */
static int64_t pool_size(const layout* l, int pool) {
  if (pool < l->n_nodes) {
    const int64_t ranks = ranks_of_node(l, pool);
    return ranks * (ranks - 1);
  }
  const int64_t on_last = l->n_ranks - l->on_whole_nodes;
  return (int64_t)l->on_whole_nodes * (l->n_ranks - l->ranks_per_node) + on_last * l->on_whole_nodes;
}

/** Pair number `item` within a node, ordered by source, then destination. */
static void pair_within(const layout* l, int node, int64_t item, int* src, int* dst) {
  const int others = ranks_of_node(l, node) - 1;
  const int s = (int)(item / others);
  const int d = (int)(item % others);
  *src = node * l->ranks_per_node + s;
  *dst = node * l->ranks_per_node + (d < s ? d : d + 1);
}

/** Pair number `item` between nodes, ordered by source, then destination. */
static void pair_between(const layout* l, int64_t item, int* src, int* dst) {
  const int64_t from_whole = (int64_t)l->on_whole_nodes * (l->n_ranks - l->ranks_per_node);
  const bool whole = item < from_whole;
  const int64_t destinations = whole ? l->n_ranks - l->ranks_per_node : l->on_whole_nodes;
  const int64_t place = whole ? item : item - from_whole;
  *src = (int)(place / destinations) + (whole ? 0 : l->on_whole_nodes);
  const int node = *src / l->ranks_per_node;
  const int d = (int)(place % destinations);
  *dst = d < node * l->ranks_per_node ? d : d + ranks_of_node(l, node);
}

/** Marks `wanted` of `count` items, all subsets being equally likely: Floyd's algorithm (Bentley, Floyd, CACM
 * 1987). */
static void draw(uint64_t* generator, int64_t count, int64_t wanted, unsigned char* drawn) {
  for (int64_t last = count - wanted; last < count; ++last) {
    const int64_t item = (int64_t)(next_random(generator) % (uint64_t)(last + 1));
    drawn[drawn[item] ? last : item] = 1;
  }
}

/** Draws pairs from one pool and keeps those of this rank; false after an error: the pool is too small. */
static bool draw_pool(const bench* b, const layout* l, int pool, int64_t wanted, uint64_t* generator,
                      random_state* s) {
  const int64_t count = pool_size(l, pool);
  if (wanted > count) {
    bench_refuse(b, "random: %lld pairs wanted %s, where there are only %lld", (long long)wanted,
                 pool < l->n_nodes ? "within each node" : "between nodes", (long long)count);
    return false;
  }
  unsigned char* drawn = bench_alloc((size_t)count);
  draw(generator, count, wanted, drawn);
  for (int64_t item = 0; item < count; ++item) {
    if (!drawn[item]) continue;
    int src = 0;
    int dst = 0;
    if (pool < l->n_nodes) {
      pair_within(l, pool, item, &src, &dst);
    } else {
      pair_between(l, item, &src, &dst);
    }
    if (src == b->rank) s->destinations[s->n_destinations++] = dst;
    if (dst == b->rank) s->sources[s->n_sources++] = src;
  }
  free(drawn);
  return true;
}

/** Draws the pattern of the whole job, the same on every rank. */
static bool draw_pattern(const bench* b, random_state* s) {
  const layout l = layout_of(b);
  const int64_t intra_node = (int64_t)bench_number(b, "intra-node");
  const int64_t between = (int64_t)(bench_number(b, "ratio") * (double)intra_node * l.n_nodes + 0.5);
  uint64_t generator = (uint64_t)bench_number(b, "seed");
  for (int pool = 0; pool <= l.n_nodes; ++pool) {
    if (!draw_pool(b, &l, pool, pool < l.n_nodes ? intra_node : between, &generator, s)) return false;
  }
  return true;
}

static void release(void* state) {
  random_state* s = state;
  free(s->destinations);
  free(s->sources);
  free(s->sent);
  free(s->received);
  free(s->requests);
  free(s);
}

static void* prepare(const bench* b) {
  random_state* s = bench_alloc(sizeof *s);
  s->destinations = bench_alloc((size_t)b->n_ranks * sizeof *s->destinations);
  s->sources = bench_alloc((size_t)b->n_ranks * sizeof *s->sources);
  if (!draw_pattern(b, s)) {
    release(s);
    return NULL;
  }
  s->sent = bench_alloc(b->size_bytes);
  s->received = bench_alloc((size_t)s->n_sources * b->size_bytes);
  s->requests = bench_alloc((size_t)(s->n_sources + s->n_destinations) * sizeof *s->requests);
  bench_fill(s->sent, b->size_bytes, b->rank);
  return s;
}

static void run(const bench* b, void* state) {
  random_state* s = state;
  for (int i = 0; i < s->n_sources; ++i) {
    MPI_Irecv(s->received + (size_t)i * b->size_bytes, (int)b->size_bytes, MPI_BYTE, s->sources[i], 0,
              MPI_COMM_WORLD, &s->requests[i]);
  }
  for (int i = 0; i < s->n_destinations; ++i) {
    bench_count_send(b, s->destinations[i], b->size_bytes);
    MPI_Isend(s->sent, (int)b->size_bytes, MPI_BYTE, s->destinations[i], 0, MPI_COMM_WORLD,
              &s->requests[s->n_sources + i]);
  }
  MPI_Waitall(s->n_sources + s->n_destinations, s->requests, MPI_STATUSES_IGNORE);
}

static bool check(const bench* b, const void* state) {
  const random_state* s = state;
  for (int i = 0; i < s->n_sources; ++i) {
    if (!bench_is_filled(s->received + (size_t)i * b->size_bytes, b->size_bytes, s->sources[i])) return false;
  }
  return true;
}

int main(int argc, char** argv) {
  bench_option options[] = {{"ranks-per-node", "0", "ranks of one node, in blocks; 0 puts all on one"},
                            {"intra-node", "2", "pairs drawn within each node"},
                            {"ratio", "0", "pairs between nodes over those within"},
                            {"seed", "1", "another seed, another pattern"},
                            {0}};
  benchmark self = {.name = "random",
                    .sentence = "random pairs within and between nodes, all at once (SMP-CMP paper)",
                    .sizes = "1024,32768,131072",
                    .options = options,
                    .prepare = prepare,
                    .run = run,
                    .check = check,
                    .release = release};
  return bench_main(argc, argv, &self);
}
