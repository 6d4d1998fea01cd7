/* Rank 0 reads all of standard input and prints the number of bytes; then a ring exchange.
 * Variables: NAP, seconds to sleep between the exchange and MPI_Finalize; CODE, the exit code; MARK, a file
 * that rank 0 creates when it starts to sleep. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int number(const char* name) {
  const char* text = getenv(name);
  return text ? atoi(text) : 0;
}

int main(int argc, char** argv) {
  int rank, n_ranks, n_bytes = 0;
  char token[1000] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
  if (rank == 0) {
    while (getchar() != EOF) ++n_bytes;
    printf("%d bytes read\n", n_bytes);
    fflush(stdout);
  }
  MPI_Sendrecv_replace(token, sizeof token, MPI_CHAR, (rank + 1) % n_ranks, 0, (rank + n_ranks - 1) % n_ranks,
                       0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 0 && getenv("MARK")) fclose(fopen(getenv("MARK"), "w"));
  sleep(number("NAP"));
  MPI_Finalize();
  return number("CODE");
}
