/* Another tool that wraps MPI calls, as profilers do. It only passes them on. */
#include <mpi.h>

int MPI_Send(const void* buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm) {
  return PMPI_Send(buf, count, type, dest, tag, comm);
}
