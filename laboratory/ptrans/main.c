/* PTRANS as a separate program, which hpcc calls among other benchmarks: ptrans N BLOCK P Q transposes an
 * N x N matrix in blocks of BLOCK x BLOCK on a grid of P x Q ranks, adds it to another, checks the sum, and
 * does so for five orders of the ranks. */
#include <hpcc.h>

static int positive(const char* word) {
  char* end;
  const long number = strtol(word, &end, 10);
  return *end == '\0' && number > 0 && number <= 1000000 ? (int)number : 0;
}

int main(int argc, char** argv) {
  static HPCC_Params params;
  MPI_Init(&argc, &argv);
  int numbers[4] = {0};
  for (int i = 0; argc == 5 && i < 4; ++i) numbers[i] = positive(argv[i + 1]);
  int ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const long long in_grid = (long long)numbers[2] * numbers[3];
  if (numbers[0] == 0 || numbers[1] == 0 || in_grid == 0 || in_grid > ranks) {
    fprintf(stderr, "ptrans: expected  ptrans N BLOCK P Q  with P x Q at most the %d ranks\n", ranks);
    return MPI_Abort(MPI_COMM_WORLD, 2);
  }
  params.PTRANSns = params.PTRANSnbs = params.PTRANSnpqs = 1;
  params.PTRANSnval[0] = numbers[0];
  params.PTRANSnbval[0] = numbers[1];
  params.PTRANSpval[0] = numbers[2];
  params.PTRANSqval[0] = numbers[3];
  params.test.thrsh = 16;
  params.test.epsil = HPL_pdlamch(MPI_COMM_WORLD, HPL_MACH_EPS);
  strcpy(params.outFname, "/dev/stdout");
  PTRANS(&params);
  MPI_Finalize();
  return params.Failure;
}
