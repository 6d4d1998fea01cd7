/** Measures message times and bandwidths between chosen pairs of ranks, for `corewise probe`.
 *
 *  `link-probe PLAN PASSES SECONDS` reads the file PLAN on rank 0. Each line is one measurement:
 *
 *      MODE SIZE PAIR,PAIR,...        such as `pingpong 1024 0-1` or `stream 1048576 0-2,1-3`
 *
 *  MODE is `pingpong` (there and back), `stream` (one way) or `exchange` (both ways at once). SIZE is in
 * bytes. The pairs of a line work at the same time; a rank is in at most one pair. Lines are measured one
 * after the other, and the whole plan up to PASSES times. After the first pass, another one starts only if it
 * fits into the remaining SECONDS. After each line, rank 0 prints a row:
 *
 *      PASS,LINE,TIME_S TIME_S ...    PASS and LINE count from 0; one time for each sample
 *
 *  A time is that of one message, for the slowest pair. Ranks that take no part in a line sleep: if ranks
 * share cores, busy waiting would slow down the measurement. Exit status: 0 success, 2 invalid plan.
 */
#define _POSIX_C_SOURCE 200809L /* nanosleep, sigaction, strtok_r */

#include <mpi.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
  FINALIZE_LIMIT_S = 5,
  LEAST_SAMPLES = 3,
  MAX_SAMPLES = 30,
  MAX_ROUNDS = 10000,
  TAG_MESSAGE = 1,
  TAG_GO = 2,
  TAG_RESULT = 3,
  NO_LINE = -1
};

/** A sample takes at least kSampleS, long compared with the clock's resolution. Sampling of a line stops
 * after kLineS, or with fewer than LEAST_SAMPLES after kLongS, because most samples may be disturbed if ranks
 * share cores with others. If the first round takes kLongS, it is the only sample. */
static const double kSampleS = 200e-6;
static const double kLineS = 20e-3;
static const double kLongS = 0.5;
static const struct timespec kNap = {0, 500000};

typedef enum { PINGPONG, STREAM, EXCHANGE } mode;

/** One line of the plan; the ranks of pair i are ranks[2 * i] and ranks[2 * i + 1]. */
typedef struct {
  mode mode;
  int size_bytes;
  int n_ranks;
  int* ranks;
} measurement;

/** What the first rank of a line has measured. */
typedef struct {
  int n_samples;
  double samples_s[MAX_SAMPLES];
} result;

static void* allocate(size_t bytes) {
  void* memory = calloc(bytes > 0 ? bytes : 1, 1);
  if (memory == NULL) {
    fprintf(stderr, "link-probe: no memory for %zu bytes; try fewer ranks\n", bytes);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  return memory;
}

static int refuse(int rank, int line, const char* expected) {
  if (rank == 0) fprintf(stderr, "link-probe: line %d of the plan; expected %s\n", line, expected);
  return 2;
}

static bool parse_mode(const char* text, mode* found) {
  static const char* const names[] = {"pingpong", "stream", "exchange"};
  for (int i = 0; i < 3; ++i) {
    if (strcmp(text, names[i]) == 0) {
      *found = (mode)i;
      return true;
    }
  }
  return false;
}

/** Parses "0-2,1-3" into ranks; false for other text, ranks that don't exist, and repeated ranks. */
static bool parse_pairs(const char* text, int world_size, measurement* found) {
  found->ranks = allocate(strlen(text) * sizeof(int));
  found->n_ranks = 0;
  while (*text != '\0') {
    int first = 0, second = 0, used = 0;
    if (sscanf(text, "%d-%d%n", &first, &second, &used) != 2) return false;
    text += used;
    if (*text == ',') ++text;
    const int pair[] = {first, second};
    for (int i = 0; i < 2; ++i) {
      if (pair[i] < 0 || pair[i] >= world_size) return false;
      for (int k = 0; k < found->n_ranks; ++k) {
        if (found->ranks[k] == pair[i]) return false;
      }
      found->ranks[found->n_ranks++] = pair[i];
    }
  }
  return found->n_ranks > 0;
}

/** Returns the exit status: 0 if all lines are valid. */
static int parse_plan(char* text, int rank, int world_size, measurement** plan, int* n_lines) {
  *n_lines = 1; /* the last line may have no newline */
  for (const char* at = text; *at != '\0'; ++at) *n_lines += *at == '\n';
  *plan = allocate((size_t)*n_lines * sizeof **plan);
  char* rest = NULL;
  int line = 0;
  for (char* words = strtok_r(text, "\n", &rest); words != NULL;
       words = strtok_r(NULL, "\n", &rest), ++line) {
    measurement* next = *plan + line;
    char* word = NULL;
    const char* name = strtok_r(words, " ", &word);
    const char* size = strtok_r(NULL, " ", &word);
    const char* pairs = strtok_r(NULL, " ", &word);
    if (pairs == NULL || !parse_mode(name, &next->mode)) return refuse(rank, line + 1, "MODE SIZE PAIRS");
    next->size_bytes = atoi(size);
    if (next->size_bytes < 1) return refuse(rank, line + 1, "a size of 1 byte or more");
    if (!parse_pairs(pairs, world_size, next))
      return refuse(rank, line + 1, "pairs of different ranks that are there");
  }
  *n_lines = line;
  return 0;
}

/** The whole file, on every rank; NULL after an error message if rank 0 can't read it. */
static char* read_everywhere(const char* path, int rank) {
  int size = -1;
  char* text = NULL;
  FILE* file = rank == 0 ? fopen(path, "rb") : NULL;
  if (file != NULL && fseek(file, 0, SEEK_END) == 0) {
    size = (int)ftell(file);
    rewind(file);
    text = allocate((size_t)size + 1);
    if (fread(text, 1, (size_t)size, file) != (size_t)size) size = -1;
  }
  if (file != NULL) fclose(file);
  MPI_Bcast(&size, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (size < 0) {
    if (rank == 0) fprintf(stderr, "link-probe: the plan %s could not be read\n", path);
    free(text);
    return NULL;
  }
  if (text == NULL) text = allocate((size_t)size + 1);
  MPI_Bcast(text, size, MPI_CHAR, 0, MPI_COMM_WORLD);
  return text;
}

/* Timed calls use PMPI names, so that tools that wrap MPI, such as corewise, are not measured. */

static void send_to(void* buffer, int bytes, int peer) {
  PMPI_Send(buffer, bytes, MPI_BYTE, peer, TAG_MESSAGE, MPI_COMM_WORLD);
}

static void receive_from(void* buffer, int bytes, int peer) {
  PMPI_Recv(buffer, bytes, MPI_BYTE, peer, TAG_MESSAGE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void run_rounds(const measurement* m, int rounds, bool is_first, int peer, void* out, void* in) {
  for (int i = 0; i < rounds; ++i) {
    if (m->mode == EXCHANGE) {
      PMPI_Sendrecv(out, m->size_bytes, MPI_BYTE, peer, TAG_MESSAGE, in, m->size_bytes, MPI_BYTE, peer,
                    TAG_MESSAGE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      continue;
    }
    if (is_first) send_to(out, m->size_bytes, peer);
    if (!is_first) receive_from(in, m->size_bytes, peer);
    if (m->mode == PINGPONG && is_first) receive_from(in, m->size_bytes, peer);
    if (m->mode == PINGPONG && !is_first) send_to(out, m->size_bytes, peer);
  }
  /* A stream is complete when its receiver confirms it. */
  if (m->mode == STREAM && is_first) receive_from(in, 0, peer);
  if (m->mode == STREAM && !is_first) send_to(out, 0, peer);
}

/** Runs `rounds` rounds. Returns the time of one message on this rank. */
static double time_rounds(const measurement* m, int rounds, int place, void* out, void* in) {
  const int peer = m->ranks[place ^ 1];
  const double begin = MPI_Wtime();
  run_rounds(m, rounds, place % 2 == 0, peer, out, in);
  return (MPI_Wtime() - begin) / (m->mode == PINGPONG ? 2 * rounds : rounds);
}

static double slowest(double mine_s, MPI_Comm together) {
  double all_s = 0;
  MPI_Allreduce(&mine_s, &all_s, 1, MPI_DOUBLE, MPI_MAX, together);
  return all_s;
}

/** Increases the number of rounds until a sample takes long enough; shorter samples are dropped. */
static void take_samples(const measurement* m, int place, MPI_Comm together, void* out, void* in,
                         result* found) {
  const double begin = MPI_Wtime();
  int rounds = 1, go_on = 1;
  while (go_on) {
    MPI_Barrier(together);
    const double sample_s = slowest(time_rounds(m, rounds, place, out, in), together);
    if (rounds * sample_s >= kSampleS || rounds == MAX_ROUNDS) {
      found->samples_s[found->n_samples++] = sample_s;
    } else {
      const double missing = kSampleS / (rounds * sample_s);
      rounds = (int)(rounds * (missing < 2 ? 2 : missing > 10 ? 10 : missing));
      if (rounds > MAX_ROUNDS) rounds = MAX_ROUNDS;
    }
    const int n = found->n_samples;
    const double limit_s = n < LEAST_SAMPLES ? kLongS : kLineS;
    go_on = n == 0 || (n < MAX_SAMPLES && MPI_Wtime() - begin < limit_s);
    MPI_Bcast(&go_on, 1, MPI_INT, 0, together);
  }
}

/** Called on all ranks of the line: a first round, which sets up connections, then the samples. */
static void measure(const measurement* m, int place, MPI_Comm together, result* found) {
  unsigned char* out = allocate((size_t)m->size_bytes);
  unsigned char* in = allocate((size_t)m->size_bytes);
  /* write to the memory: pages that were never written are all the same page of zeros */
  memset(out, place + 1, (size_t)m->size_bytes);
  memset(in, 0xff, (size_t)m->size_bytes);
  MPI_Barrier(together);
  const double first_s = slowest(time_rounds(m, 1, place, out, in), together);
  found->samples_s[0] = first_s;
  found->n_samples = first_s < kLongS ? 0 : 1;
  if (found->n_samples == 0) take_samples(m, place, together, out, in, found);
  free(out);
  free(in);
}

/** Receives a message; sleeps while waiting for it. */
static void receive_asleep(void* buffer, int count, MPI_Datatype type, int src, int tag) {
  int is_there = 0;
  MPI_Iprobe(src, tag, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
  while (!is_there) {
    nanosleep(&kNap, NULL);
    MPI_Iprobe(src, tag, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
  }
  MPI_Recv(buffer, count, type, src, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/** This rank's position in the line; -1: it takes no part. */
static int place_in(const measurement* m, int rank) {
  for (int i = 0; i < m->n_ranks; ++i) {
    if (m->ranks[i] == rank) return i;
  }
  return -1;
}

static void take_part(const measurement* m, int place, int line, result* found) {
  MPI_Group world, members;
  MPI_Comm together;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, m->n_ranks, m->ranks, &members);
  MPI_Comm_create_group(MPI_COMM_WORLD, members, line % 1000, &together);
  measure(m, place, together, found);
  MPI_Comm_free(&together);
  MPI_Group_free(&members);
  MPI_Group_free(&world);
}

static void print_row(int pass, int line, const result* found) {
  printf("%d,%d,", pass, line);
  for (int i = 0; i < found->n_samples; ++i) printf(i == 0 ? "%.9g" : " %.9g", found->samples_s[i]);
  printf("\n");
  fflush(stdout);
}

/** On rank 0: starts the ranks of a line, takes part if it is one of them, and prints the result. */
static void lead(const measurement* m, int pass, int line) {
  result found = {0};
  for (int i = 0; i < m->n_ranks; ++i) {
    if (m->ranks[i] != 0) MPI_Send(&line, 1, MPI_INT, m->ranks[i], TAG_GO, MPI_COMM_WORLD);
  }
  const int place = place_in(m, 0);
  if (place >= 0) take_part(m, place, line, &found);
  if (place != 0) receive_asleep(&found, (int)sizeof found, MPI_BYTE, m->ranks[0], TAG_RESULT);
  print_row(pass, line, &found);
}

/** On all other ranks: takes part in lines when rank 0 asks, until the plan is complete. */
static void serve(const measurement* plan, int rank) {
  int line = NO_LINE;
  for (receive_asleep(&line, 1, MPI_INT, 0, TAG_GO); line != NO_LINE;
       receive_asleep(&line, 1, MPI_INT, 0, TAG_GO)) {
    const measurement* m = plan + line;
    result found = {0};
    take_part(m, place_in(m, rank), line, &found);
    if (m->ranks[0] == rank) MPI_Send(&found, (int)sizeof found, MPI_BYTE, 0, TAG_RESULT, MPI_COMM_WORLD);
  }
}

static void lead_passes(const measurement* plan, int n_lines, int n_passes, double limit_s, int n_ranks) {
  const double begin = MPI_Wtime();
  double longest_s = 0;
  for (int pass = 0; pass < n_passes; ++pass) {
    const double pass_begin = MPI_Wtime();
    if (pass > 0 && pass_begin - begin + longest_s > limit_s) break;
    for (int line = 0; line < n_lines; ++line) lead(plan + line, pass, line);
    const double took_s = MPI_Wtime() - pass_begin;
    if (took_s > longest_s) longest_s = took_s;
  }
  const int none = NO_LINE;
  for (int rank = 1; rank < n_ranks; ++rank) MPI_Send(&none, 1, MPI_INT, rank, TAG_GO, MPI_COMM_WORLD);
}

/** Without this, ranks that have exchanged no message hang more often in MPI_Finalize (MPICH 4.0.2 over UCX).
 */
static void exchange_of_all(int n_ranks) {
  int* from = allocate((size_t)n_ranks * sizeof *from);
  int* to = allocate((size_t)n_ranks * sizeof *to);
  MPI_Alltoall(from, 1, MPI_INT, to, 1, MPI_INT, MPI_COMM_WORLD);
  free(from);
  free(to);
}

/** Set before MPI_Finalize, whose hangs end the process with it. */
static volatile sig_atomic_t status_at_end = 0;

static void end_now(int signal) {
  (void)signal;
  _exit(status_at_end);
}

/** MPI_Finalize, or the end of the process after FINALIZE_LIMIT_S.
 *
 *  In 6 of 210 jobs between two nodes, one rank hung in MPICH 4.0.2's MPI_Finalize over UCX: it waits for
 * what it sent, its peers wait for it without receiving (fixed by MPICH's pull request 6596). All results
 * are printed by then.
 */
static int finalize(int status) {
  const struct sigaction action = {.sa_handler = end_now};
  status_at_end = status;
  sigaction(SIGALRM, &action, NULL);
  alarm(FINALIZE_LIMIT_S);
  MPI_Finalize();
  return status;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, n_ranks = 0, n_lines = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
  if (argc != 4 && rank == 0) fputs("link-probe: expected PLAN PASSES SECONDS\n", stderr);
  char* text = argc == 4 ? read_everywhere(argv[1], rank) : NULL;
  measurement* plan = NULL;
  const int status = text == NULL ? 2 : parse_plan(text, rank, n_ranks, &plan, &n_lines);
  if (status == 0 && rank == 0) lead_passes(plan, n_lines, atoi(argv[2]), atof(argv[3]), n_ranks);
  if (status == 0 && rank != 0) serve(plan, rank);
  for (int line = 0; line < n_lines; ++line) free(plan[line].ranks);
  free(plan);
  free(text);
  exchange_of_all(n_ranks);
  return finalize(status);
}
