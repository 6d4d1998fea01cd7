/* A program that opens a plug-in privately, as interpreters do, and gets MPI only by the plug-in. This source
 * is built twice, as HOST and as PLUGIN. The plug-in sends 4 bytes around the ring, with MPI_Isendrecv if the
 * MPI has it, and prints which call it used. */
#ifdef PLUGIN
#include <mpi.h>
#include <stdio.h>

extern int MPI_Isendrecv(const void*, int, MPI_Datatype, int, int, void*, int, MPI_Datatype, int, int,
                         MPI_Comm, MPI_Request*) __attribute__((weak));

int ring(void) {
  int rank, n, out = 1, in = 0;
  MPI_Init(0, 0);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  if (MPI_Isendrecv != 0) {
    MPI_Request request;
    MPI_Isendrecv(&out, 1, MPI_INT, (rank + 1) % n, 0, &in, 1, MPI_INT, (rank + n - 1) % n, 0, MPI_COMM_WORLD,
                  &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    MPI_Sendrecv(&out, 1, MPI_INT, (rank + 1) % n, 0, &in, 1, MPI_INT, (rank + n - 1) % n, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  }
  if (rank == 0) printf("%s %d\n", MPI_Isendrecv != 0 ? "MPI_Isendrecv" : "MPI_Sendrecv", in);
  return MPI_Finalize();
}
#else
#include <dlfcn.h>

int main(int argc, char** argv) {
  void* plugin = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : 0;
  int (*ring)(void) = plugin != 0 ? (int (*)(void))dlsym(plugin, "ring") : 0;
  return ring != 0 ? ring() : 1;
}
#endif
