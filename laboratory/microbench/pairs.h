/** Pairs of ranks that compute between messages, for the micro-benchmarks of Scogland et al. (SyMMer). Ranks
 * i and i + p/2 are a pair. If ranks are placed in blocks on two nodes, each pair has one rank on each node.
 */
#ifndef COREWISE_MICROBENCH_PAIRS_H
#define COREWISE_MICROBENCH_PAIRS_H

#include "bench.h"

/** One rank's view of its pair; `out` and `in` are blocks of the current message size. */
typedef struct {
  int partner;
  bool is_first; /**< this rank is the lower one */
  unsigned char* out;
  unsigned char* in;
} rank_pair;

/** False, after bench_refuse(), if the number of ranks is odd. */
bool pairs_fit(const bench* b, const char* name);

/** This rank's pair; fills `out` with the rank's bytes. Free it with pair_free(). */
rank_pair pair_of(const bench* b);
void pair_free(rank_pair* pair);

/** Sends `out` and receives `in`; the first rank sends first. */
void pair_exchange(const bench* b, const rank_pair* pair);

/** Does `in` contain the partner's bytes? */
bool pair_received(const bench* b, const rank_pair* pair);

/** Units of computation that take `load_ms` ms on an undisturbed core, from the fastest of many short
 * computations on all ranks. Collective. */
long units_of_ms(double load_ms);

/** Computes dependent additions and multiplications in registers. */
void compute_units(long units);

#endif
