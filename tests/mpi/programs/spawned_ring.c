/* Two parents spawn three children; with the argument "multiple" one and two, by MPI_Comm_spawn_multiple.
 * Parent 0 sends parent 1 seven bytes. Each child sends the next child five bytes, and child 0 broadcasts
 * nine bytes to the others. */
#include <mpi.h>
#include <string.h>

static MPI_Comm spawn(char** argv) {
  MPI_Comm made;
  if (argv[1] == NULL || strcmp(argv[1], "multiple") != 0) {
    MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 3, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &made, MPI_ERRCODES_IGNORE);
    return made;
  }
  char *commands[] = {argv[0], argv[0]}, *of_first[] = {"first", NULL}, *of_second[] = {"second", NULL};
  char** arguments[] = {of_first, of_second};
  const int n[] = {1, 2};
  const MPI_Info infos[] = {MPI_INFO_NULL, MPI_INFO_NULL};
  MPI_Comm_spawn_multiple(2, commands, arguments, n, infos, 0, MPI_COMM_WORLD, &made, MPI_ERRCODES_IGNORE);
  return made;
}

int main(int argc, char** argv) {
  char bytes[9] = {0}, in[9];
  int rank, n;
  MPI_Comm other;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  MPI_Comm_get_parent(&other);
  if (other == MPI_COMM_NULL) {
    other = spawn(argv);
    if (rank == 0) MPI_Send(bytes, 7, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(in, 7, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Sendrecv(bytes, 5, MPI_BYTE, (rank + 1) % n, 0, in, 5, MPI_BYTE, (rank + n - 1) % n, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Bcast(bytes, 9, MPI_BYTE, 0, MPI_COMM_WORLD);
  }
  MPI_Comm_disconnect(&other);
  MPI_Finalize();
  return 0;
}
