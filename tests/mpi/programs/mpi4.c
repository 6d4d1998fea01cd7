/* Calls of MPI 4: a large-count send, a persistent broadcast started three times, a non-blocking sendrecv, a
 * partitioned send of 4 x 2 bytes started twice. */
#include <mpi.h>

int main(int argc, char** argv) {
  static char out[64], in[64];
  int rank, n;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  if (rank == 0) MPI_Send_c(out, 10, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv_c(in, 10, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Isendrecv(out, 3, MPI_BYTE, (rank + 1) % n, 1, in, 3, MPI_BYTE, (rank + n - 1) % n, 1, MPI_COMM_WORLD,
                &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Bcast_init(out, 6, MPI_BYTE, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  for (int i = 0; i < 3; ++i) {
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Request_free(&request);
  MPI_Request parts[2];
  MPI_Psend_init(out, 4, 2, MPI_BYTE, (rank + 1) % n, 2, MPI_COMM_WORLD, MPI_INFO_NULL, &parts[0]);
  MPI_Precv_init(in, 4, 2, MPI_BYTE, (rank + n - 1) % n, 2, MPI_COMM_WORLD, MPI_INFO_NULL, &parts[1]);
  for (int i = 0; i < 2; ++i) {
    MPI_Startall(2, parts);
    MPI_Pready_range(0, 3, parts[0]);
    MPI_Waitall(2, parts, MPI_STATUSES_IGNORE);
  }
  MPI_Request_free(&parts[0]);
  MPI_Request_free(&parts[1]);
  MPI_Finalize();
  return 0;
}
