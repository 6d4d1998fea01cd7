/* Usage: steps FILE. Sends the messages in FILE, which has lines "STEP SRC DST BYTES" by step. A rank starts
 * all its messages of a step, then waits for them before its next step. For SMPI: every rank reads the file.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, step, src, dst, now = -1, n = 0, room = 0;
  long bytes, most = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  FILE* file = argc == 2 ? fopen(argv[1], "r") : NULL;
  if (!file) {
    fprintf(stderr, "steps: expected a readable FILE of lines STEP SRC DST BYTES\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  while (fscanf(file, "%d %d %d %ld", &step, &src, &dst, &bytes) == 4)
    if (bytes > most) most = bytes;
  rewind(file);
  char* buffer = malloc((size_t)most); /* the contents don't matter */
  MPI_Request* requests = NULL;
  while (fscanf(file, "%d %d %d %ld", &step, &src, &dst, &bytes) == 4) {
    if (rank != src && rank != dst) continue;
    if (step != now) MPI_Waitall(n, requests, MPI_STATUSES_IGNORE), n = 0, now = step;
    if (n + 2 > room) requests = realloc(requests, (room = 2 * room + 8) * sizeof *requests);
    if (rank == dst) MPI_Irecv(buffer, (int)bytes, MPI_BYTE, src, step, MPI_COMM_WORLD, &requests[n++]);
    if (rank == src) MPI_Isend(buffer, (int)bytes, MPI_BYTE, dst, step, MPI_COMM_WORLD, &requests[n++]);
  }
  MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
  fclose(file);
  free(buffer);
  free(requests);
  MPI_Finalize();
}
