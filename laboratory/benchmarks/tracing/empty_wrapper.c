/* The lower limit for PMPI tools: wrappers that only forward, for the calls of call_cost.c and
 * wrapper_cost.c. */
#include <mpi.h>

int MPI_Send(const void* buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm) {
  return PMPI_Send(buf, count, type, dest, tag, comm);
}

int MPI_Recv(void* buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
             MPI_Status* status) {
  return PMPI_Recv(buf, count, type, source, tag, comm, status);
}

int MPI_Isend(const void* buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
              MPI_Request* request) {
  return PMPI_Isend(buf, count, type, dest, tag, comm, request);
}

int MPI_Irecv(void* buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
              MPI_Request* request) {
  return PMPI_Irecv(buf, count, type, source, tag, comm, request);
}

int MPI_Wait(MPI_Request* request, MPI_Status* status) { return PMPI_Wait(request, status); }

int MPI_Waitall(int n, MPI_Request requests[], MPI_Status statuses[]) {
  return PMPI_Waitall(n, requests, statuses);
}
