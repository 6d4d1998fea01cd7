/* Two ranks start and complete operations in every way. Prints and checks nothing. Each part has its own tag.
 */
#include <mpi.h>

enum { kMany = 1000 };

static int rank, other, data[2 * kMany];
static MPI_Comm comm;

static void nonblocking(void) {
  MPI_Request requests[2 * kMany];
  int n = 0, indices[2 * kMany], index = 0, flag = 0;
  for (int i = 0; i < kMany; ++i) {
    MPI_Irecv(&data[i], 1, MPI_INT, MPI_ANY_SOURCE, 1, comm, &requests[n++]);
    MPI_Isend(&data[kMany + i], 1, MPI_INT, other, 1, comm, &requests[n++]);
  }
  MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);

  MPI_Irecv(data, 4, MPI_INT, other, MPI_ANY_TAG, comm, &requests[0]);
  MPI_Irecv(data + 4, 4, MPI_INT, other, 3, comm, &requests[1]);
  MPI_Isend(data + 8, 3, MPI_INT, other, 2, comm, &requests[2]);
  MPI_Isend(data + 8, 2, MPI_INT, other, 3, comm, &requests[3]);
  MPI_Waitany(4, requests, &index, MPI_STATUS_IGNORE);
  MPI_Waitsome(4, requests, &n, indices, MPI_STATUSES_IGNORE);
  while (!flag) MPI_Testall(4, requests, &flag, MPI_STATUSES_IGNORE);

  MPI_Irecv(data, 1, MPI_INT, other, 4, comm, &requests[0]);
  MPI_Ibarrier(comm, &requests[1]);
  MPI_Send(data, 1, MPI_INT, other, 4, comm);
  for (int done = 0; done < 2; done += flag ? 1 : 0)
    MPI_Testany(2, requests, &index, &flag, MPI_STATUS_IGNORE);
}

static void persistent(void) {
  MPI_Request requests[2];
  MPI_Status statuses[2];
  MPI_Recv_init(data, 4, MPI_INT, MPI_ANY_SOURCE, 5, comm, &requests[0]);
  MPI_Send_init(data + 4, 3, MPI_INT, other, 5, comm, &requests[1]);
  for (int i = 0; i < 2; ++i) {
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, statuses);
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
}

static void given_up(void) {
  MPI_Request request;
  MPI_Irecv(data, 1, MPI_INT, other, 6, comm, &request); /* there is no such message */
  MPI_Cancel(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Isend(data, 1, MPI_INT, other, 7, comm, &request);
  MPI_Request_free(&request);
  MPI_Recv(data, 1, MPI_INT, other, 7, comm, MPI_STATUS_IGNORE);
}

static void blocking(void) {
  MPI_Status status;
  MPI_Sendrecv(data, 5, MPI_INT, other, 8, data + 8, 8, MPI_INT, MPI_ANY_SOURCE, 8, comm, MPI_STATUS_IGNORE);
  if (rank == 0) MPI_Ssend(data, 6, MPI_INT, other, 9, comm);
  if (rank == 1) {
    MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
    MPI_Recv(data, 16, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, MPI_STATUS_IGNORE);
  }
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Send(data, 1, MPI_INT, 99, 10, comm);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  other = 1 - rank;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comm); /* ranks in reverse */
  other = rank;
  nonblocking();
  persistent();
  given_up();
  blocking();
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
