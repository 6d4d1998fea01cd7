// Usage: errors throw|longjmp. An error handler leaves a failed MPI call by an exception or by longjmp. Then
// 100 messages go around the ring, sent from a deeper stack frame than the failed call.
#include <mpi.h>

#include <csetjmp>
#include <cstring>

namespace {

std::jmp_buf before;
bool throws = false;

void leave(MPI_Comm*, int*, ...) {
  if (throws) throw 1;
  std::longjmp(before, 1);
}

// The array keeps later calls from overwriting what earlier frames left on the stack.
__attribute__((noinline)) void send_deeper(int rank, int n) {
  volatile char unused[8192];
  unused[0] = 0;
  char out[4] = {0}, in[4];
  MPI_Sendrecv(out, 4, MPI_BYTE, (rank + 1) % n, 0, in, 4, MPI_BYTE, (rank + n - 1) % n, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
}

void fail() {
  char byte = 0;
  if (throws) {
    try {
      MPI_Send(&byte, 1, MPI_BYTE, 1000, 0, MPI_COMM_WORLD);
    } catch (int) {
    }
  } else if (setjmp(before) == 0) {
    MPI_Send(&byte, 1, MPI_BYTE, 1000, 0, MPI_COMM_WORLD);
  }
}

}  // namespace

int main(int argc, char** argv) {
  int rank, n;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  throws = argc == 2 && std::strcmp(argv[1], "throw") == 0;
  MPI_Errhandler handler;
  MPI_Comm_create_errhandler(leave, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  fail();
  for (int i = 0; i < 100; ++i) send_deeper(rank, n);
  MPI_Finalize();
  return 0;
}
