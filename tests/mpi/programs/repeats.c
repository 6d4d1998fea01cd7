/* Calls that differ from the previous call in only one argument, each made three times.
 * Of three ranks rank 1 sends. Rank 0 of each round's communicator is world rank 0 in even rounds and world
 * rank 2 in odd rounds, and the communicator often has the handle of the previous round's. In the same way,
 * the round's datatype has round + 1 ints. At the end a receive fails, although the same receive succeeded
 * before. */
#include <mpi.h>

enum { kRounds = 4, kTimes = 3 };

static int data[64];

static void send(int count, MPI_Datatype type, int to, MPI_Comm comm) {
  for (int i = 0; i < kTimes; ++i) MPI_Send(data, count, type, to, 0, comm);
}

static void receive(int n, MPI_Comm comm) {
  for (int i = 0; i < n * kTimes; ++i)
    MPI_Recv(data, 64, MPI_INT, MPI_ANY_SOURCE, 0, comm, MPI_STATUS_IGNORE);
}

static void one_round(int round, int rank) {
  MPI_Comm comm;
  MPI_Datatype ints;
  MPI_Comm_split(MPI_COMM_WORLD, 0, round % 2 == 0 ? rank : -rank, &comm);
  MPI_Type_contiguous(round + 1, MPI_INT, &ints);
  MPI_Type_commit(&ints);
  MPI_Comm_rank(comm, &rank);
  if (rank == 1) {
    send(1, MPI_INT, 0, comm);
    send(2, MPI_INT, 0, comm);
    send(1, MPI_CHAR, 0, comm);
    send(1, ints, 0, comm);
    send(1, MPI_INT, 2, comm);
    send(1, MPI_INT, MPI_PROC_NULL, comm);
    send(1, MPI_INT, 0, MPI_COMM_WORLD);
  }
  if (rank == 0) receive(4, comm);
  if (rank == 2) receive(1, comm);
  MPI_Type_free(&ints);
  MPI_Comm_free(&comm);
}

/* Rank 1 sends twice one int and then two ints. The receiver has room for one. */
static void fail(int rank) {
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  for (int i = 0; i < 3; ++i) {
    if (rank == 1) MPI_Ssend(data, i == 2 ? 2 : 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    if (rank == 0) MPI_Recv(data, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int round = 0; round < kRounds; ++round) one_round(round, rank);
  if (rank == 0) receive(kRounds, MPI_COMM_WORLD);
  fail(rank);
  MPI_Finalize();
  return 0;
}
