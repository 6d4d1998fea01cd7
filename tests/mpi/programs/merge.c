/* Two parents spawn a child and merge with it. In the merged communicator: a broadcast of 9 bytes, and 7
 * bytes from parent 0 to parent 1. */
#include <mpi.h>

int main(int argc, char** argv) {
  char bytes[9] = {0};
  int rank;
  MPI_Comm other, merged;
  MPI_Init(&argc, &argv);
  MPI_Comm_get_parent(&other);
  const int is_child = other != MPI_COMM_NULL;
  if (!is_child)
    MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other, MPI_ERRCODES_IGNORE);
  MPI_Intercomm_merge(other, is_child, &merged);
  MPI_Comm_rank(merged, &rank);
  MPI_Bcast(bytes, 9, MPI_BYTE, 0, merged);
  if (rank == 0) MPI_Send(bytes, 7, MPI_BYTE, 1, 0, merged);
  if (rank == 1) MPI_Recv(bytes, 7, MPI_BYTE, 0, 0, merged, MPI_STATUS_IGNORE);
  MPI_Comm_free(&merged);
  MPI_Comm_disconnect(&other);
  MPI_Finalize();
  return 0;
}
