/* Rank 0 sends rank 1 messages of 1 to 8 ints, all with one tag. Rank 1 takes them in this order:
 * MPI_Mprobe 1, MPI_Recv 2, MPI_Improbe 3, MPI_Irecv 4, MPI_Mprobe of any source and tag 5.
 * Then it receives the probed messages: MPI_Imrecv 3, MPI_Mrecv 1, MPI_Mrecv 5.
 * Last, MPI_Mprobe and MPI_Mrecv 6 without a status, and MPI_Recv 7 and 8.
 * Rank 1 exits with code 9 if a size is wrong. */
#include <mpi.h>

enum { kLargest = 8 };

static int received(MPI_Status* status) {
  int n;
  MPI_Get_count(status, MPI_INT, &n);
  return n;
}

static int take(void) {
  int buffer[kLargest], wrong = 0, found = 0;
  MPI_Message first, third, fifth, sixth;
  MPI_Request fourth, of_third;
  MPI_Status status;
  MPI_Mprobe(0, 7, MPI_COMM_WORLD, &first, &status);
  wrong += received(&status) != 1;
  MPI_Recv(buffer, kLargest, MPI_INT, 0, 7, MPI_COMM_WORLD, &status);
  wrong += received(&status) != 2;
  while (!found) MPI_Improbe(0, 7, MPI_COMM_WORLD, &found, &third, &status);
  wrong += received(&status) != 3;
  MPI_Irecv(buffer, kLargest, MPI_INT, 0, 7, MPI_COMM_WORLD, &fourth);
  MPI_Wait(&fourth, &status);
  wrong += received(&status) != 4;
  MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &fifth, &status);
  wrong += received(&status) != 5;
  MPI_Imrecv(buffer, kLargest, MPI_INT, &third, &of_third);
  MPI_Wait(&of_third, &status);
  wrong += received(&status) != 3;
  MPI_Mrecv(buffer, kLargest, MPI_INT, &first, &status);
  wrong += received(&status) != 1;
  MPI_Mrecv(buffer, kLargest, MPI_INT, &fifth, &status);
  wrong += received(&status) != 5;
  MPI_Mprobe(0, 7, MPI_COMM_WORLD, &sixth, MPI_STATUS_IGNORE);
  MPI_Mrecv(buffer, kLargest, MPI_INT, &sixth, MPI_STATUS_IGNORE);
  for (int n = 7; n <= kLargest; ++n) {
    MPI_Recv(buffer, kLargest, MPI_INT, 0, 7, MPI_COMM_WORLD, &status);
    wrong += received(&status) != n;
  }
  MPI_Mprobe(MPI_PROC_NULL, 7, MPI_COMM_WORLD, &first, &status);
  MPI_Mrecv(buffer, kLargest, MPI_INT, &first, &status);
  return wrong == 0 ? 0 : 9;
}

int main(int argc, char** argv) {
  int rank, result = 0, buffer[kLargest] = {0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int n = 1; rank == 0 && n <= kLargest; ++n) MPI_Send(buffer, n, MPI_INT, 1, 7, MPI_COMM_WORLD);
  if (rank == 1) result = take();
  MPI_Finalize();
  return result;
}
