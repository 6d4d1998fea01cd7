/** Shared parts of all micro-benchmarks: options, repeats, timing, checks and CSV output.
 *
 *  A program fills in a `benchmark` and calls bench_main(). For each message size, the benchmark is prepared
 * once, run `warmup` times (the first result is checked), then timed `repeats` times, or for `seconds`. Each
 * time is that of the slowest rank. Rank 0 prints one row for each size:
 *
 *      benchmark,ranks,size_bytes,warmup,repeats,min_s,median_s,max_s,samples_s
 *
 *  samples_s has all times, separated by spaces. With --pattern, each size runs once without timing, and the
 *  messages that were sent are printed as `size_bytes,src,dst,bytes,messages`.
 */
#ifndef COREWISE_MICROBENCH_BENCH_H
#define COREWISE_MICROBENCH_BENCH_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** One option of a program: `--name value`. `value` is the default, then the user's value. */
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
  const bench_option* options; /**< the program's own; ends with a null name */
  uint64_t* sent_bytes;        /**< [dst], counted by bench_count_send() */
  uint64_t* sent_messages;
} bench;

/** A micro-benchmark. The state that prepare() returns belongs to one size. */
typedef struct {
  const char* name;
  const char* sentence;  /**< description for --help */
  const char* sizes;     /**< default of --sizes, bytes */
  bench_option* options; /**< ends with a null name */
  /** Null, after bench_refuse(), if it can't run with these ranks and options; the same on every rank. */
  void* (*prepare)(const bench* b);
  void (*run)(const bench* b, void* state);
  /** Did this rank receive correct data in the first run? */
  bool (*check)(const bench* b, const void* state);
  /** Number of consecutive messages in one run, by which times are divided. Null: 1. */
  int (*n_sequential_messages)(const bench* b);
  void (*release)(void* state); /**< frees the result of prepare(); null: free() */
} benchmark;

/** Runs the benchmark; returns the exit status: 0 success, 1 wrong data received, 2 bad usage. */
int bench_main(int argc, char** argv, benchmark* self);

/** Prints on rank 0's standard error why the benchmark can't run: printf-style, one sentence. */
void bench_refuse(const bench* b, const char* format, ...) __attribute__((format(printf, 2, 3)));

/** Counts a message that is about to be sent, for --pattern. */
void bench_count_send(const bench* b, int dst, size_t bytes);

/** MPI_Sendrecv of `bytes` in each direction on MPI_COMM_WORLD, counted. */
void bench_sendrecv(const bench* b, const void* out, int dst, void* in, int src, size_t bytes);

/** The value of the program's option `name`, as text or as a number (already checked). */
const char* bench_text(const bench* b, const char* name);
double bench_number(const bench* b, const char* name);

/** calloc that prints a sentence and ends the job if memory runs out. 0 bytes give a valid pointer. */
void* bench_alloc(size_t bytes);

/** The block that `rank` contributes. Its bytes depend on the rank, so that a wrong block is detected. */
void bench_fill(unsigned char* block, size_t bytes, int rank);
bool bench_is_filled(const unsigned char* block, size_t bytes, int rank);

/** The blocks of an all-gather, one for each rank. prepare fills this rank's block; check verifies all. */
unsigned char* bench_block(const bench* b, void* blocks, int rank);
void* bench_gather_prepare(const bench* b);
bool bench_gather_check(const bench* b, const void* blocks);

#endif
