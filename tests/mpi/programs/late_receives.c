/* Usage: late_receives SECONDS. In each round rank 0 sends 20 messages. Rank 1 receives the last one,
 * computes for 10 ms, and then receives the others, which waited in its MPI's queue. Only after that it sends
 * the messages for which rank 0 has posted receives since the start of the round. */
#include <mpi.h>
#include <stdlib.h>

enum { N_MESSAGES = 20, N_ANSWERS = 5 };

static void compute(double seconds) {
  const double end = MPI_Wtime() + seconds;
  while (MPI_Wtime() < end) continue;
}

static void receive(int tag) {
  int byte;
  MPI_Recv(&byte, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int n_rounds = (int)(atof(argv[1]) / 0.01);
  for (int round = 0; round < n_rounds; ++round) {
    if (rank == 0) {
      int answers[N_ANSWERS];
      MPI_Request requests[N_ANSWERS];
      for (int i = 0; i < N_ANSWERS; ++i)
        MPI_Irecv(&answers[i], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[i]);
      for (int tag = 0; tag < N_MESSAGES; ++tag) MPI_Send(&tag, 1, MPI_INT, 1, tag, MPI_COMM_WORLD);
      MPI_Waitall(N_ANSWERS, requests, MPI_STATUSES_IGNORE);
    } else {
      receive(N_MESSAGES - 1);
      compute(0.01);
      for (int tag = 0; tag < N_MESSAGES - 1; ++tag) receive(tag);
      for (int i = 0; i < N_ANSWERS; ++i) MPI_Send(&i, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
  }
  MPI_Finalize();
  return 0;
}
