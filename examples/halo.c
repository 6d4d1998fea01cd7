/** Halo exchange of a two-dimensional grid, the traffic of many solvers: a program to try corewise on.
 *
 *      mpicc -O2 -o halo examples/halo.c
 *      mpirun -n 4 ./halo [STEPS]
 *
 *  Ranks form a grid, numbered row by row. Each owns a wide tile of ROWS x COLUMNS points and exchanges its
 *  edges with four neighbours: 64 KiB with those above and below, 512 bytes with those at its sides.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 64, COLUMNS = 8192, WIDTH = COLUMNS + 2 };

/* Sends the own edge that starts at `edge` to `to`, and receives the one of `from` at `halo`. */
static void exchange(double* edge, int to, double* halo, int from, MPI_Datatype type, MPI_Comm grid) {
  MPI_Sendrecv(edge, 1, type, to, 0, halo, 1, type, from, 0, grid, MPI_STATUS_IGNORE);
}

/* One sweep over the inner points; returns the sum of all changes. */
static double relax(double* tile) {
  double change = 0;
  for (int row = 1; row <= ROWS; ++row) {
    for (int column = 1; column <= COLUMNS; ++column) {
      double* at = tile + (size_t)row * WIDTH + column;
      const double mean = 0.25 * (at[-WIDTH] + at[WIDTH] + at[-1] + at[1]);
      change += (mean - *at) * (mean - *at);
      *at = mean;
    }
  }
  return change;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int n_ranks, rank, up, down, left, right, shape[2] = {0, 0}, periodic[2] = {1, 1};
  MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
  MPI_Dims_create(n_ranks, 2, shape);
  MPI_Comm grid;
  MPI_Cart_create(MPI_COMM_WORLD, 2, shape, periodic, 0, &grid);
  MPI_Comm_rank(grid, &rank);
  MPI_Cart_shift(grid, 0, 1, &up, &down);
  MPI_Cart_shift(grid, 1, 1, &left, &right);

  MPI_Datatype row, column;
  MPI_Type_contiguous(COLUMNS, MPI_DOUBLE, &row);
  MPI_Type_vector(ROWS, 1, WIDTH, MPI_DOUBLE, &column);
  MPI_Type_commit(&row);
  MPI_Type_commit(&column);

  double* tile = calloc((size_t)(ROWS + 2) * WIDTH, sizeof(double));
  if (tile == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  tile[(size_t)(ROWS / 2) * WIDTH + COLUMNS / 2] = rank + 1;

  const int n_steps = argc > 1 ? atoi(argv[1]) : 50;
  double change = 0, sum = 0;
  for (int step = 0; step < n_steps; ++step) {
    exchange(tile + WIDTH + 1, up, tile + (size_t)(ROWS + 1) * WIDTH + 1, down, row, grid);
    exchange(tile + (size_t)ROWS * WIDTH + 1, down, tile + 1, up, row, grid);
    exchange(tile + WIDTH + 1, left, tile + WIDTH + COLUMNS + 1, right, column, grid);
    exchange(tile + WIDTH + COLUMNS, right, tile + WIDTH, left, column, grid);
    change = relax(tile);
  }
  MPI_Reduce(&change, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, grid);
  if (rank == 0) printf("%d x %d ranks, %d steps, last change %.6g\n", shape[0], shape[1], n_steps, sum);
  free(tile);
  MPI_Type_free(&row);
  MPI_Type_free(&column);
  MPI_Finalize();
  return 0;
}
