// FFTW's parallel transform of a cube of complex numbers, forward and back, as often as asked.
//
//     transform EDGE PAIRS [PLANES]
//
// Ranks have slabs of PLANES planes each, the last ones fewer or none, all as many where that is left out;
// every transform exchanges parts of them between all ranks once, since its result stays transposed.
#include <complex.h>
#include <fftw3-mpi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  ptrdiff_t edge, n_planes, n_values, n_allocated;
  fftw_complex* values;
  fftw_plan forward, back;
} cube;

static fftw_plan one_way(const cube* c, ptrdiff_t slab, int sign, unsigned transposed) {
  const ptrdiff_t edges[] = {c->edge, c->edge, c->edge};
  return fftw_mpi_plan_many_dft(3, edges, 1, slab, slab, c->values, c->values, MPI_COMM_WORLD, sign,
                                FFTW_ESTIMATE | transposed);
}

static cube planned(ptrdiff_t edge, ptrdiff_t slab) {
  cube c = {.edge = edge};
  const ptrdiff_t edges[] = {edge, edge, edge};
  ptrdiff_t first, n_transposed, first_transposed;
  c.n_allocated = fftw_mpi_local_size_many_transposed(3, edges, 1, slab, slab, MPI_COMM_WORLD, &c.n_planes,
                                                      &first, &n_transposed, &first_transposed);
  c.n_values = c.n_planes * edge * edge;
  c.values = fftw_alloc_complex((size_t)c.n_allocated);
  c.forward = one_way(&c, slab, FFTW_FORWARD, FFTW_MPI_TRANSPOSED_OUT);
  c.back = one_way(&c, slab, FFTW_BACKWARD, FFTW_MPI_TRANSPOSED_IN);
  for (ptrdiff_t i = 0; i < c.n_values; i++) c.values[i] = (double)(i % 7);
  return c;
}

// Forward and back multiplies every value by their number; undone, so that the values stay what they were.
static void transform(cube* c) {
  fftw_execute(c->forward);
  fftw_execute(c->back);
  const double n = (double)c->edge * (double)c->edge * (double)c->edge;
  for (ptrdiff_t i = 0; i < c->n_values; i++) c->values[i] /= n;
}

static double error_of(const cube* c) {
  double greatest = 0, all = 0;
  for (ptrdiff_t i = 0; i < c->n_values; i++) greatest = fmax(greatest, cabs(c->values[i] - (double)(i % 7)));
  MPI_Allreduce(&greatest, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return all;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  fftw_mpi_init();
  int rank, n_ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
  const long edge = argc > 1 ? atol(argv[1]) : 0, n_pairs = argc > 2 ? atol(argv[2]) : 0;
  const long slab = argc > 3 ? atol(argv[3]) : (edge + n_ranks - 1) / n_ranks;
  if (edge < 1 || n_pairs < 1 || slab < 1 || slab * n_ranks < edge) {
    fprintf(stderr,
            "transform: expected EDGE and PAIRS above 0, and PLANES of which all ranks together have EDGE\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  cube c = planned(edge, slab);
  const double begin_s = MPI_Wtime();
  for (long i = 0; i < n_pairs; i++) transform(&c);
  const double time_s = MPI_Wtime() - begin_s, error = error_of(&c);
  if (rank == 0)
    printf("transform: %ld pairs of %ld^3 in %.3f s, greatest error %.1e\n", n_pairs, edge, time_s, error);
  fftw_destroy_plan(c.forward);
  fftw_destroy_plan(c.back);
  fftw_free(c.values);
  MPI_Finalize();
  return error < 1e-9 ? 0 : 1;
}
