/** What all micro-benchmarks share: options, repeats, timing, checking and CSV output.
 *
 *  A program describes itself in a `benchmark` and calls bench_main(). For each message size it is prepared
 * once, run `warmup` times (the first result is checked), then timed `repeats` times, or again and again for
 * `seconds`; each time is the slowest rank's. Output on rank 0, one row a size:
 *
 *      benchmark,ranks,size_bytes,warmup,repeats,min_s,median_s,max_s,samples_s
 *
 *  samples_s holds all times, separated by spaces. With --pattern nothing is timed: each size is run once and
 *  what the program really sent is printed as `size_bytes,src,dst,bytes,messages`.
 */
#ifndef COREWISE_MICROBENCH_BENCH_H
#define COREWISE_MICROBENCH_BENCH_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** One option of a program: `--name value`. `value` holds the default, then what the user gave. */
typedef struct {
  const char* name;
  const char* value;
  const char* help;
} bench_option;

/** The job and the current message size. */
typedef struct {
  int rank;
  int n_ranks;
  size_t size_bytes;
  const bench_option* options; /**< the program's own, in its order; a null name ends them */
  uint64_t* sent_bytes;        /**< [dst], counted by bench_count_send() */
  uint64_t* sent_messages;
} bench;

/** A micro-benchmark. The state that prepare() returns belongs to one size. */
typedef struct {
  const char* name;
  const char* sentence;  /**< what it does, for --help */
  const char* sizes;     /**< default of --sizes, bytes */
  bench_option* options; /**< a null name ends them */
  /** Null, after bench_refuse(), where it can't run with these ranks and options: the same on every rank. */
  void* (*prepare)(const bench* b);
  void (*run)(const bench* b, void* state);
  /** Whether this rank holds what it should have received by the first run. */
  bool (*check)(const bench* b, const void* state);
  /** Messages that follow each other in one run: times are divided by their number. Null stands for 1. */
  int (*n_sequential_messages)(const bench* b);
  void (*release)(void* state); /**< frees what prepare() returned; null stands for free() */
} benchmark;

/** Runs everything; returns the exit status: 0 fine, 1 wrong data received, 2 bad usage. */
int bench_main(int argc, char** argv, benchmark* self);

/** Says on rank 0's standard error why the benchmark can't run; printf-style, one sentence. */
void bench_refuse(const bench* b, const char* format, ...) __attribute__((format(printf, 2, 3)));

/** Counts a message that is about to be sent, for --pattern. */
void bench_count_send(const bench* b, int dst, size_t bytes);

/** MPI_Sendrecv of `bytes` each way on MPI_COMM_WORLD, counted. */
void bench_sendrecv(const bench* b, const void* out, int dst, void* in, int src, size_t bytes);

/** The value of the program's own option `name` as text, or as a number (checked when options are read). */
const char* bench_text(const bench* b, const char* name);
double bench_number(const bench* b, const char* name);

/** calloc that ends the job with a sentence when memory is out. Zero bytes give a valid pointer. */
void* bench_alloc(size_t bytes);

/** The block that `rank` contributes: bytes that depend on the rank, so that a wrong block is noticed. */
void bench_fill(unsigned char* block, size_t bytes, int rank);
bool bench_is_filled(const unsigned char* block, size_t bytes, int rank);

/** An all-gather's blocks, one a rank: prepared with this rank's own one filled, and checked to be all there.
 */
unsigned char* bench_block(const bench* b, void* blocks, int rank);
void* bench_gather_prepare(const bench* b);
bool bench_gather_check(const bench* b, const void* blocks);

#endif
