/* The paper's micro-benchmark of communication idleness (Scogland et al., section V-A1): of two ranks one
 * computes RATIO times as long as the other between exchanges.
 *
 *     idleness BUSY_RANK RATIO BYTES LOAD_MS MESSAGES SECONDS
 *
 * LOAD_MS is what the busy rank computes in an iteration on an undisturbed core, MESSAGES how many exchanges
 * of BYTES each way follow it. Rank 0 prints the mean time of an iteration, in ms: of those from 3 s on, and
 * of the last third of the run. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static volatile double sink;

static void compute(long steps) {
  double x = 1;
  for (long i = 0; i < steps; ++i) x = x * 1.0000001 + 1e-9;
  sink = x;
}

/* Steps in a millisecond: of the fastest of many short stretches, on the rank that is disturbed least. */
static double steps_in_ms(void) {
  enum { STRETCHES = 200, STEPS = 100000 };
  double least_s = 1e9, found_s;
  for (int i = 0; i < STRETCHES; ++i) {
    const double begin = MPI_Wtime();
    compute(STEPS);
    const double took_s = MPI_Wtime() - begin;
    if (took_s < least_s) least_s = took_s;
  }
  MPI_Allreduce(&least_s, &found_s, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
  return STEPS / (found_s * 1e3);
}

int main(int argc, char** argv) {
  int rank, stop = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (argc != 7) MPI_Abort(MPI_COMM_WORLD, 2);
  const int busy = atoi(argv[1]), bytes = atoi(argv[3]), n_messages = atoi(argv[5]);
  const double ratio = atof(argv[2]), seconds = atof(argv[6]);
  const double load = atof(argv[4]) * steps_in_ms();
  const long steps = (long)(rank == busy ? load : load / ratio);
  char *out = calloc(1, (size_t)bytes + 1), *in = calloc(1, (size_t)bytes + 1);
  const double from_s[2] = {seconds > 6 ? 3 : seconds / 2, seconds * 2 / 3};
  double begin_s[2] = {0, 0};
  long n[2] = {0, 0};
  const double start = MPI_Wtime();
  while (!stop) {
    compute(steps);
    for (int i = 0; i < n_messages; ++i)
      MPI_Sendrecv(out, bytes, MPI_BYTE, 1 - rank, 0, in, bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD,
                   MPI_STATUS_IGNORE);
    const double now_s = MPI_Wtime() - start;
    for (int part = 0; part < 2; ++part) {
      if (n[part] > 0 || begin_s[part] > 0) ++n[part];
      if (begin_s[part] == 0 && now_s >= from_s[part]) begin_s[part] = now_s;
    }
    stop = now_s > seconds;
    MPI_Bcast(&stop, 1, MPI_INT, 0, MPI_COMM_WORLD);
  }
  const double end_s = MPI_Wtime() - start;
  if (rank == 0)
    printf("%.6f %.6f\n", (end_s - begin_s[0]) / (double)n[0] * 1e3,
           (end_s - begin_s[1]) / (double)n[1] * 1e3);
  MPI_Finalize();
  return 0;
}
