/* Two parents spawn one process. Parent 0 sends it 5 bytes, and parent 1 7 bytes. */
#include <mpi.h>

int main(int argc, char** argv) {
  char bytes[8] = {0};
  int rank;
  MPI_Comm parent, child;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_get_parent(&parent);
  if (parent == MPI_COMM_NULL) {
    MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &child, MPI_ERRCODES_IGNORE);
    if (rank == 0) MPI_Send(bytes, 5, MPI_BYTE, 0, 0, child);
    if (rank == 0) MPI_Send(bytes, 7, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(bytes, 7, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Comm_disconnect(&child);
  } else {
    MPI_Recv(bytes, 5, MPI_BYTE, 0, 0, parent, MPI_STATUS_IGNORE);
    MPI_Comm_disconnect(&parent);
  }
  MPI_Finalize();
  return 0;
}
