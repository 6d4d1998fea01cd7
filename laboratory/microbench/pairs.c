/** See pairs.h. */
#include "pairs.h"

#include <stdlib.h>

bool pairs_fit(const bench* b, const char* name) {
  if (b->n_ranks % 2 == 0) return true;
  bench_refuse(b, "%s: %d ranks; expected an even number: ranks i and i + p/2 are a pair", name, b->n_ranks);
  return false;
}

rank_pair pair_of(const bench* b) {
  const int half = b->n_ranks / 2;
  rank_pair pair = {.partner = (b->rank + half) % b->n_ranks,
                    .is_first = b->rank < half,
                    .out = bench_alloc(b->size_bytes),
                    .in = bench_alloc(b->size_bytes)};
  bench_fill(pair.out, b->size_bytes, b->rank);
  return pair;
}

void pair_free(rank_pair* pair) {
  free(pair->out);
  free(pair->in);
}

static void send_out(const bench* b, const rank_pair* pair) {
  bench_count_send(b, pair->partner, b->size_bytes);
  MPI_Send(pair->out, (int)b->size_bytes, MPI_BYTE, pair->partner, 0, MPI_COMM_WORLD);
}

static void receive_in(const bench* b, const rank_pair* pair) {
  MPI_Recv(pair->in, (int)b->size_bytes, MPI_BYTE, pair->partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void pair_exchange(const bench* b, const rank_pair* pair) {
  if (pair->is_first) send_out(b, pair);
  receive_in(b, pair);
  if (!pair->is_first) send_out(b, pair);
}

bool pair_received(const bench* b, const rank_pair* pair) {
  return bench_is_filled(pair->in, b->size_bytes, pair->partner);
}

static volatile double sink;

void compute_units(long units) {
  double x = 1;
  for (long i = 0; i < units; ++i) x = x * 1.0000001 + 1e-9;
  sink = x;
}

long units_of_ms(double load_ms) {
  enum { STRETCHES = 200, UNITS = 100000 };
  double least_s = 1e9, found_s = 0;
  for (int i = 0; i < STRETCHES; ++i) {
    const double begin = MPI_Wtime();
    compute_units(UNITS);
    const double took_s = MPI_Wtime() - begin;
    if (took_s < least_s) least_s = took_s;
  }
  MPI_Allreduce(&least_s, &found_s, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
  return (long)(load_ms * UNITS / (found_s * 1e3));
}
