/** Pairs of ranks that compute between their messages, for the micro-benchmarks of Scogland et al. (SyMMer).
 *
 *  Ranks i and i + p/2 are a pair: with block order on two nodes, one on each.
 */
#ifndef COREWISE_MICROBENCH_PAIRS_H
#define COREWISE_MICROBENCH_PAIRS_H

#include "bench.h"

/** One rank's view of its pair; `out` and `in` are blocks of the current message size. */
typedef struct {
  int partner;
  bool is_first; /**< this is the lower rank */
  unsigned char* out;
  unsigned char* in;
} rank_pair;

/** False, after bench_refuse(), where the number of ranks is odd. */
bool pairs_fit(const bench* b, const char* name);

/** `out` is filled with this rank's bytes. Freed by pair_free(). */
rank_pair pair_of(const bench* b);
void pair_free(rank_pair* pair);

/** Sends `out` and receives `in`: the first rank sends first. Where `bytes` is 0, messages are empty. */
void pair_exchange(const bench* b, const rank_pair* pair);

/** Whether `in` holds the partner's bytes. */
bool pair_received(const bench* b, const rank_pair* pair);

/** How many units of computation take `load_ms` ms on an undisturbed core: of many short stretches on all
 * ranks, the fastest counts. Called by all ranks. */
long units_of_ms(double load_ms);

/** Computes: additions and multiplications that depend on each other, in registers. */
void compute_units(long units);

#endif
