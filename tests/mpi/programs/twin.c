/* The messages of twin.F90, sent by C, so that the profiles can be compared. */
#include <mpi.h>

int main(int argc, char** argv) {
  static int out[1000], in[1000], back[1000];
  int to[64], from[64], at[64], rank, n, provided, mine;
  MPI_Datatype types[64];
  MPI_Comm half;
  MPI_Request requests[2];
  MPI_Win window;

  MPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  const int next = (rank + 1) % n, last = (rank + n - 1) % n;

  MPI_Sendrecv(out, 10, MPI_INT, next, 0, in, 10, MPI_INT, last, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);

  MPI_Irecv(in, 20, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(out, 20, MPI_INT, last, 1, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);

  MPI_Send_init(out, 3, MPI_INT, next, 2, MPI_COMM_WORLD, &requests[0]);
  MPI_Recv_init(in, 3, MPI_INT, last, 2, MPI_COMM_WORLD, &requests[1]);
  for (int i = 0; i < 4; ++i) {
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);

  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
  MPI_Comm_rank(half, &mine);
  if (mine == 0) MPI_Send(out, 5, MPI_INT, 1, 3, half);
  if (mine == 1) MPI_Recv(in, 5, MPI_INT, 0, 3, half, MPI_STATUS_IGNORE);
  MPI_Bcast(out, 7, MPI_INT, 0, half);
  MPI_Comm_free(&half);

  MPI_Allreduce(MPI_IN_PLACE, out, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < n; ++i) {
    to[i] = from[i] = rank + i + 1;
    at[i] = 100 * i;
    types[i] = MPI_INT;
  }
  MPI_Alltoallv(MPI_IN_PLACE, to, at, MPI_INT, in, from, at, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < n; ++i) at[i] *= 4;
  MPI_Alltoallw(out, to, at, types, back, from, at, types, MPI_COMM_WORLD);

  MPI_Win_create(in, 4000, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_fence(0, window);
  MPI_Put(out, 6, MPI_INT, next, 0, 6, MPI_INT, window);
  MPI_Win_fence(0, window);
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}
