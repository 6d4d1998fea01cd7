/* In each of 20 rounds, four threads of each rank use a new communicator and a new window for the first time,
 * at the same moment. Ranks are in reversed order. Each thread sends 5 bytes to the next rank and puts 3
 * bytes there. In odd rounds a fifth thread creates communicators at the same time. */
#include <mpi.h>
#include <pthread.h>

enum { kRounds = 20, kThreads = 4, kMade = 3, kBytes = 5, kPut = 3 };

static pthread_barrier_t start, end;
static MPI_Comm comm, own; /* `comm` is created by MPI_Comm_idup, so a tool learns of it at its first use */
static MPI_Win window;
static int rank, n, round_number;
/* MPICH 4.0.2 over UCX 1.13.1 rounds the start address of a window down to 16 bytes. */
static _Alignas(64) char memory[kThreads * kPut];
static char out[kBytes];

static void use(int thread) {
  char in[kBytes];
  MPI_Request request;
  const int next = (rank + 1) % n, last = (rank + n - 1) % n;
  MPI_Isend(out, kBytes, MPI_CHAR, next, thread, comm, &request);
  MPI_Recv(in, kBytes, MPI_CHAR, last, thread, comm, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Put(out, kPut, MPI_CHAR, next, thread * kPut, kPut, MPI_CHAR, window);
}

static void make(void) {
  for (int i = 0; i < kMade; ++i) {
    MPI_Comm made;
    MPI_Comm_dup(own, &made);
    MPI_Barrier(made);
    MPI_Comm_free(&made);
  }
}

static void* run(void* number) {
  const int thread = (int)(long)number;
  for (int i = 0; i < kRounds; ++i) {
    pthread_barrier_wait(&start);
    if (thread < kThreads) {
      use(thread);
    } else if (round_number % 2 == 1) {
      make();
    }
    pthread_barrier_wait(&end);
  }
  return NULL;
}

int main(int argc, char** argv) {
  int provided, world_rank;
  pthread_t threads[kThreads + 1];
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (provided != MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  MPI_Comm_dup(MPI_COMM_SELF, &own);
  pthread_barrier_init(&start, NULL, kThreads + 2);
  pthread_barrier_init(&end, NULL, kThreads + 2);
  for (long i = 0; i <= kThreads; ++i) pthread_create(&threads[i], NULL, run, (void*)i);
  for (round_number = 0; round_number < kRounds; ++round_number) {
    MPI_Comm reversed;
    MPI_Request request;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -world_rank, &reversed);
    MPI_Comm_idup(reversed, &comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_rank(comm, &rank);
    MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, comm, &window);
    MPI_Win_lock_all(0, window);
    pthread_barrier_wait(&start);
    pthread_barrier_wait(&end);
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    MPI_Comm_free(&comm);
    MPI_Comm_free(&reversed);
  }
  for (int i = 0; i <= kThreads; ++i) pthread_join(threads[i], NULL);
  MPI_Comm_free(&own);
  MPI_Finalize();
  return 0;
}
