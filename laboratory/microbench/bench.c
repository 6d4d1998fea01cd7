/** See bench.h. */
#include "bench.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SIZES = 64 };

/** The options that every program has. */
typedef struct {
  size_t sizes[MAX_SIZES];
  int n_sizes;
  int warmup;
  int repeats;
  double seconds; /* duration of timed runs; 0: do `repeats` runs */
  bool pattern;
} settings;

void bench_refuse(const bench* b, const char* format, ...) {
  if (b->rank != 0) return;
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
}

void* bench_alloc(size_t bytes) {
  void* memory = calloc(bytes > 0 ? bytes : 1, 1);
  if (memory == NULL) {
    fprintf(stderr, "no memory for %zu bytes; try smaller --sizes or fewer ranks\n", bytes);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  return memory;
}

void bench_fill(unsigned char* block, size_t bytes, int rank) {
  for (size_t i = 0; i < bytes; ++i) block[i] = (unsigned char)(rank * 31 + (int)(i % 251) + 1);
}

bool bench_is_filled(const unsigned char* block, size_t bytes, int rank) {
  for (size_t i = 0; i < bytes; ++i) {
    if (block[i] != (unsigned char)(rank * 31 + (int)(i % 251) + 1)) return false;
  }
  return true;
}

unsigned char* bench_block(const bench* b, void* blocks, int rank) {
  return (unsigned char*)blocks + (size_t)rank * b->size_bytes;
}

void* bench_gather_prepare(const bench* b) {
  void* blocks = bench_alloc((size_t)b->n_ranks * b->size_bytes);
  bench_fill(bench_block(b, blocks, b->rank), b->size_bytes, b->rank);
  return blocks;
}

bool bench_gather_check(const bench* b, const void* blocks) {
  for (int rank = 0; rank < b->n_ranks; ++rank) {
    const unsigned char* block = (const unsigned char*)blocks + (size_t)rank * b->size_bytes;
    if (!bench_is_filled(block, b->size_bytes, rank)) return false;
  }
  return true;
}

void bench_count_send(const bench* b, int dst, size_t bytes) {
  b->sent_bytes[dst] += bytes;
  b->sent_messages[dst] += 1;
}

void bench_sendrecv(const bench* b, const void* out, int dst, void* in, int src, size_t bytes) {
  bench_count_send(b, dst, bytes);
  MPI_Sendrecv(out, (int)bytes, MPI_BYTE, dst, 0, in, (int)bytes, MPI_BYTE, src, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
}

const char* bench_text(const bench* b, const char* name) {
  const bench_option* option = b->options;
  while (strcmp(option->name, name) != 0) ++option;
  return option->value;
}

double bench_number(const bench* b, const char* name) { return strtod(bench_text(b, name), NULL); }

static bool is_number(const char* text) {
  char* end = NULL;
  const double value = strtod(text, &end);
  return end != text && *end == '\0' && value >= 0 && value < 1e15; /* false for nan */
}

/** Parses an integer from `least` to 2^31-1, the largest MPI count. */
static bool parse_whole(const char* text, long least, long* value) {
  char* end = NULL;
  errno = 0;
  *value = strtol(text, &end, 10);
  return end != text && *end == '\0' && errno == 0 && *value >= least && *value <= INT32_MAX;
}

static bool parse_sizes(const char* text, settings* s) {
  char* copy = bench_alloc(strlen(text) + 1);
  strcpy(copy, text);
  bool valid = true;
  s->n_sizes = 0;
  for (char* word = strtok(copy, ","); word != NULL && valid; word = strtok(NULL, ",")) {
    long size = 0;
    valid = s->n_sizes < MAX_SIZES && parse_whole(word, 0, &size);
    if (valid) s->sizes[s->n_sizes++] = (size_t)size;
  }
  free(copy);
  return valid && s->n_sizes > 0;
}

static void print_help(const benchmark* self) {
  printf(
      "%s: %s\n\n  --sizes LIST     message sizes in bytes, separated by commas (%s)\n"
      "  --repeats N      timed runs of each size (10)\n"
      "  --seconds S      timed runs for so long, instead of a number of them\n"
      "  --warmup N       runs before them, at least 1: the first is checked (2)\n"
      "  --pattern        print who sends what to whom in one run, and time nothing\n",
      self->name, self->sentence, self->sizes);
  for (const bench_option* o = self->options; o->name != NULL; ++o) {
    printf("  --%-14s %s (%s)\n", o->name, o->help, o->value);
  }
}

/** Sets `--name value`. Null on success, else what kind of value was expected; "": the name is unknown. */
static const char* set_option(benchmark* self, settings* s, const char* name, const char* value) {
  if (strcmp(name, "--sizes") == 0) {
    return parse_sizes(value, s) ? NULL
                                 : "whole numbers of bytes below 2^31, at most 64, separated by commas";
  }
  if (strcmp(name, "--repeats") == 0 || strcmp(name, "--warmup") == 0) {
    long whole = 0;
    if (!parse_whole(value, 1, &whole)) return "a whole number, 1 or more";
    *(strcmp(name, "--repeats") == 0 ? &s->repeats : &s->warmup) = (int)whole;
    return NULL;
  }
  if (strcmp(name, "--seconds") == 0) {
    if (!is_number(value)) return "a number of seconds";
    s->seconds = strtod(value, NULL);
    return NULL;
  }
  for (bench_option* o = self->options; o->name != NULL; ++o) {
    if (strncmp(name, "--", 2) != 0 || strcmp(name + 2, o->name) != 0) continue;
    if (is_number(o->value) && !is_number(value)) return "a number, 0 or more";
    o->value = value;
    return NULL;
  }
  return "";
}

static void refuse_option(const bench* b, const benchmark* self, const char* name) {
  char own[256] = "";
  for (const bench_option* o = self->options; o->name != NULL; ++o) {
    const size_t used = strlen(own);
    snprintf(own + used, sizeof own - used, ", --%s", o->name);
  }
  bench_refuse(b, "%s: no option '%s'; expected --sizes, --repeats, --seconds, --warmup, --pattern%s",
               self->name, name, own);
}

/** Reads the command line. False: the program must exit with `status`. */
static bool read_options(const bench* b, benchmark* self, int argc, char** argv, settings* s, int* status) {
  *status = 0;
  parse_sizes(self->sizes, s);
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "--help") == 0) {
      if (b->rank == 0) print_help(self);
      return false;
    }
    if (strcmp(argv[i], "--pattern") == 0) {
      s->pattern = true;
      continue;
    }
    const char* value = i + 1 < argc ? argv[i + 1] : "";
    const char* expected = set_option(self, s, argv[i], value);
    if (expected == NULL) {
      ++i;
      continue;
    }
    if (expected[0] == '\0') {
      refuse_option(b, self, argv[i]);
    } else {
      bench_refuse(b, "%s: %s '%s'; expected %s", self->name, argv[i], value, expected);
    }
    *status = 2;
    return false;
  }
  return true;
}

/** Rank 0 prints the messages of all ranks since the counters were cleared. */
static void print_pattern(const bench* b) {
  const size_t n = (size_t)b->n_ranks;
  uint64_t* all_bytes = b->rank == 0 ? bench_alloc(n * n * sizeof *all_bytes) : NULL;
  uint64_t* all_messages = b->rank == 0 ? bench_alloc(n * n * sizeof *all_messages) : NULL;
  MPI_Gather(b->sent_bytes, b->n_ranks, MPI_UINT64_T, all_bytes, b->n_ranks, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  MPI_Gather(b->sent_messages, b->n_ranks, MPI_UINT64_T, all_messages, b->n_ranks, MPI_UINT64_T, 0,
             MPI_COMM_WORLD);
  for (size_t i = 0; b->rank == 0 && i < n * n; ++i) {
    if (all_messages[i] == 0) continue;
    printf("%zu,%zu,%zu,%llu,%llu\n", b->size_bytes, i / n, i % n, (unsigned long long)all_bytes[i],
           (unsigned long long)all_messages[i]);
  }
  free(all_bytes);
  free(all_messages);
}

static int by_time(const void* a, const void* b) {
  const double left = *(const double*)a;
  const double right = *(const double*)b;
  return (left > right) - (left < right);
}

/** Times of the timed runs, on one rank. */
typedef struct {
  int n;
  int room;
  double* at_s;
} samples;

static void add_sample(samples* all, double time_s) {
  if (all->n == all->room) {
    all->room = all->room > 0 ? 2 * all->room : 64;
    double* more = bench_alloc((size_t)all->room * sizeof *more);
    if (all->n > 0) memcpy(more, all->at_s, (size_t)all->n * sizeof *more);
    free(all->at_s);
    all->at_s = more;
  }
  all->at_s[all->n++] = time_s;
}

static void print_row(const bench* b, const benchmark* self, const settings* s, const samples* all) {
  const int n = all->n;
  double* sorted = bench_alloc((size_t)n * sizeof *sorted);
  memcpy(sorted, all->at_s, (size_t)n * sizeof *sorted);
  qsort(sorted, (size_t)n, sizeof *sorted, by_time);
  const double median = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
  printf("%s,%d,%zu,%d,%d,%.9f,%.9f,%.9f,", self->name, b->n_ranks, b->size_bytes, s->warmup, n, sorted[0],
         median, sorted[n - 1]);
  for (int i = 0; i < n; ++i) printf(i == 0 ? "%.9f" : " %.9f", all->at_s[i]);
  printf("\n");
  fflush(stdout);
  free(sorted);
}

/** Does another timed run follow after `n`? With --seconds, rank 0's clock decides for all. */
static bool goes_on(const settings* s, int n, double begin) {
  if (s->seconds <= 0) return n < s->repeats;
  int more = n == 0 || MPI_Wtime() - begin < s->seconds;
  MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return more;
}

static void time_runs(const bench* b, const benchmark* self, const settings* s, void* state) {
  for (int i = 1; i < s->warmup; ++i) self->run(b, state);
  const int divisor = self->n_sequential_messages != NULL ? self->n_sequential_messages(b) : 1;
  samples mine = {0};
  const double begin = MPI_Wtime();
  while (goes_on(s, mine.n, begin)) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    self->run(b, state);
    add_sample(&mine, (MPI_Wtime() - start) / divisor);
  }
  const samples slowest = {mine.n, mine.n, bench_alloc((size_t)mine.n * sizeof *mine.at_s)};
  MPI_Reduce(mine.at_s, slowest.at_s, mine.n, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (b->rank == 0) print_row(b, self, s, &slowest);
  free(mine.at_s);
  free(slowest.at_s);
}

/** Runs one size; returns the exit status. */
static int run_size(const bench* b, const benchmark* self, const settings* s) {
  void* state = self->prepare(b);
  if (state == NULL) return 2;
  memset(b->sent_bytes, 0, (size_t)b->n_ranks * sizeof *b->sent_bytes);
  memset(b->sent_messages, 0, (size_t)b->n_ranks * sizeof *b->sent_messages);
  self->run(b, state);
  int wrong = self->check(b, state) ? 0 : 1;
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (wrong > 0) {
    bench_refuse(b, "%s: %d of %d ranks received wrong data at %zu bytes", self->name, wrong, b->n_ranks,
                 b->size_bytes);
  } else if (s->pattern) {
    print_pattern(b);
  } else {
    time_runs(b, self, s, state);
  }
  (self->release != NULL ? self->release : free)(state);
  return wrong > 0 ? 1 : 0;
}

int bench_main(int argc, char** argv, benchmark* self) {
  MPI_Init(&argc, &argv);
  bench b = {.options = self->options};
  MPI_Comm_rank(MPI_COMM_WORLD, &b.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &b.n_ranks);
  b.sent_bytes = bench_alloc((size_t)b.n_ranks * sizeof *b.sent_bytes);
  b.sent_messages = bench_alloc((size_t)b.n_ranks * sizeof *b.sent_messages);

  settings s = {.warmup = 2, .repeats = 10};
  int status = 0;
  if (read_options(&b, self, argc, argv, &s, &status)) {
    if (b.rank == 0) {
      puts(s.pattern ? "size_bytes,src,dst,bytes,messages"
                     : "benchmark,ranks,size_bytes,warmup,repeats,min_s,median_s,max_s,samples_s");
    }
    for (int i = 0; i < s.n_sizes && status == 0; ++i) {
      b.size_bytes = s.sizes[i];
      status = run_size(&b, self, &s);
    }
  }
  free(b.sent_bytes);
  free(b.sent_messages);
  MPI_Finalize();
  return status;
}
