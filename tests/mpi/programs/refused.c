/* Calls that MPI refuses, and calls with no elements and MPI_DATATYPE_NULL. For each call prints whether it
 * succeeded, and how often the program's error handlers were called. Needs two ranks. Each call is local or
 * made by all ranks. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int n_calls, rank, n, forgives;
static void count_comm(MPI_Comm* comm, int* error, ...) {
  (void)comm;
  if (forgives) *error = MPI_SUCCESS;
  ++n_calls;
}
static void count_win(MPI_Win* win, int* error, ...) {
  (void)win, (void)error;
  ++n_calls;
}

static void tell(const char* what, int result) {
  if (rank == 0) printf("%s: %s, %d\n", what, result == MPI_SUCCESS ? "success" : "error", n_calls);
  n_calls = 0;
}
#define TELL(call) tell(#call, call)

static void refused_messages(void) {
  int value = 0, flag = 0, index = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Status status;
  const MPI_Datatype none = MPI_DATATYPE_NULL;
  const MPI_Comm world = MPI_COMM_WORLD;
  TELL(MPI_Send(&value, 1, none, 0, 0, world));
  TELL(MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_NULL));
  TELL(MPI_Send(&value, 1, MPI_INT, n, 0, world));
  TELL(MPI_Send(&value, -1, MPI_INT, 0, 0, world));
  TELL(MPI_Send(&value, 1, MPI_INT, 0, -5, world));
  TELL(MPI_Isend(&value, 1, none, 0, 0, world, &request));
  TELL(MPI_Irecv(&value, 1, none, 0, 0, world, &request));
  TELL(MPI_Irecv(&value, 1, MPI_INT, 0, 0, MPI_COMM_NULL, &request));
  TELL(MPI_Recv(&value, 1, MPI_INT, n, 0, world, &status));
  TELL(MPI_Sendrecv(&value, 1, none, 0, 0, &value, 1, none, 0, 0, world, &status));
  TELL(MPI_Send_init(&value, 1, none, 0, 0, world, &request));
  TELL(MPI_Iprobe(n, 0, world, &flag, &status));
  TELL(MPI_Waitall(-1, &request, &status));
  TELL(MPI_Waitany(-1, &request, &index, &status));
  TELL(MPI_Send(&value, 0, none, MPI_PROC_NULL, 0, world));
  TELL(MPI_Recv(&value, 0, none, MPI_PROC_NULL, 0, world, &status));
}

/* MPI checks the pointer and refuses it. MPICH and Open MPI check different pointers. */
static void refused_pointers(void) {
  TELL(MPI_Wait(NULL, MPI_STATUS_IGNORE));
  TELL(MPI_Start(NULL));
  TELL(MPI_Request_free(NULL));
  TELL(MPI_Waitall(1, NULL, MPI_STATUSES_IGNORE));
}

static void refused_groups(void) {
  int value = 0, sum = 0;
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Request request = MPI_REQUEST_NULL;
  const MPI_Comm world = MPI_COMM_WORLD;
  TELL(MPI_Bcast(&value, 1, MPI_INT, n, world));
  TELL(MPI_Bcast(&value, 1, MPI_DATATYPE_NULL, 0, world));
  TELL(MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_OP_NULL, world));
  TELL(MPI_Barrier(MPI_COMM_NULL));
  TELL(MPI_Ibarrier(MPI_COMM_NULL, &request));
  TELL(MPI_Comm_dup(MPI_COMM_NULL, &made));
  TELL(MPI_Comm_split(world, -7, 0, &made));
  TELL(MPI_Comm_free(&made));
  TELL(MPI_Cart_create(MPI_COMM_NULL, 1, &n, &n, 0, &made));
}

/* A refused call may leave its argument unchanged. Each line shows whether it did. */
static void unset_communicators(void) {
  MPI_Comm made, before;
  const MPI_Comm world = MPI_COMM_WORLD;
  const int none[1] = {0};
  memset(&before, 0x12, sizeof before);
#define TELL_UNSET(call) \
  made = before;         \
  TELL(call);            \
  if (rank == 0) printf("  %s\n", made == before ? "as it was" : "written")
  TELL_UNSET(MPI_Comm_dup(MPI_COMM_NULL, &made));
  TELL_UNSET(MPI_Comm_split(MPI_COMM_NULL, 0, 0, &made));
  TELL_UNSET(MPI_Comm_create(world, MPI_GROUP_NULL, &made));
  TELL_UNSET(MPI_Comm_create_group(MPI_COMM_NULL, MPI_GROUP_EMPTY, 0, &made));
  TELL_UNSET(MPI_Cart_create(world, -1, none, none, 0, &made));
  TELL_UNSET(MPI_Cart_sub(world, none, &made));
  TELL_UNSET(MPI_Intercomm_create(MPI_COMM_NULL, 0, world, 0, 1, &made));
}

/* After an error handler that sets the code to MPI_SUCCESS, Open MPI and MPICH 5 return success without a
 * result. */
static void forgiven(void) {
  int value = 0;
  MPI_Comm made;
  const MPI_Comm world = MPI_COMM_WORLD;
  memset(&made, 0x12, sizeof made);
  forgives = 1;
  TELL(MPI_Comm_dup(world, NULL));
  TELL(MPI_Comm_split(world, 0, 0, NULL));
  TELL(MPI_Cart_create(world, 1, NULL, &n, 0, NULL));
  TELL(MPI_Cart_create(world, 1, NULL, &n, 0, &made));
  TELL(MPI_Dist_graph_create_adjacent(world, 1, NULL, NULL, 1, NULL, NULL, MPI_INFO_NULL, 0, &made));
#ifdef OPEN_MPI /* MPICH reads these arrays */
  TELL(MPI_Alltoallv(&value, NULL, NULL, MPI_INT, &value, NULL, NULL, MPI_INT, world));
  TELL(MPI_Alltoallw(&value, NULL, NULL, NULL, &value, NULL, NULL, NULL, world));
#elif MPI_VERSION >= 4
  MPI_Session session;
  MPI_Group group;
  MPI_Errhandler handler;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  MPI_Comm_create_errhandler(count_comm, &handler);
  TELL(MPI_Comm_create_from_group(group, "forgiven", MPI_INFO_NULL, handler, NULL));
  TELL(MPI_Comm_create_from_group(group, NULL, MPI_INFO_NULL, handler, &made));
  MPI_Errhandler_free(&handler);
  MPI_Group_free(&group);
  MPI_Session_finalize(&session);
#endif
  forgives = 0;
}

/* Arguments that were never set. MPICH refuses the calls; Open MPI follows such pointers. */
static void refused_bytes(void) {
  int value = 0;
  MPI_Comm comm;
  MPI_Datatype type;
  MPI_Win window;
  memset(&comm, 0x12, sizeof comm);
  memset(&type, 0x12, sizeof type);
  memset(&window, 0x12, sizeof window);
  TELL(MPI_Send(&value, 1, MPI_INT, 0, 0, comm));
  TELL(MPI_Send(&value, 1, type, 0, 0, MPI_COMM_WORLD));
  TELL(MPI_Bcast(&value, 1, MPI_INT, 0, comm));
  TELL(MPI_Bcast(&value, 1, type, 0, MPI_COMM_WORLD));
  TELL(MPI_Barrier(comm));
  TELL(MPI_Comm_set_name(comm, "named"));
  TELL(MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, window));
}

static void refused_windows(void) {
  static int memory[4];
  int value = 0;
  MPI_Win window;
  MPI_Errhandler handler;
  MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_create_errhandler(count_win, &handler);
  MPI_Win_set_errhandler(window, handler);
  MPI_Win_fence(0, window);
  TELL(MPI_Put(&value, 1, MPI_DATATYPE_NULL, 0, 0, 1, MPI_INT, window));
  TELL(MPI_Put(&value, 1, MPI_INT, n, 0, 1, MPI_INT, window));
  TELL(MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_WIN_NULL));
  TELL(MPI_Get(&value, 0, MPI_INT, MPI_PROC_NULL, 0, 0, MPI_INT, window));
  MPI_Win_fence(0, window);
  MPI_Win_free(&window);
  MPI_Errhandler_free(&handler);
}

/* Each rank sends one number to the next, and gives no datatype for the others. */
static void empty_types(void) {
  enum { kMost = 8 };
  int to[kMost], from[kMost], at[kMost] = {0}, out = rank, in = -1, none[kMost] = {0};
  MPI_Datatype to_types[kMost], from_types[kMost], no_types[kMost];
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Status status;
  for (int i = 0; i < n; ++i) {
    to[i] = i == (rank + 1) % n;
    from[i] = i == (rank + n - 1) % n;
    to_types[i] = to[i] ? MPI_INT : MPI_DATATYPE_NULL;
    from_types[i] = from[i] ? MPI_INT : MPI_DATATYPE_NULL;
    no_types[i] = MPI_DATATYPE_NULL;
  }
  TELL(MPI_Alltoallw(&out, to, at, to_types, &in, from, at, from_types, MPI_COMM_WORLD));
  TELL(MPI_Ialltoallw(&out, to, at, to_types, &in, from, at, from_types, MPI_COMM_WORLD, &request));
  MPI_Wait(&request, &status);
  TELL(MPI_Alltoallw(&out, none, at, no_types, &in, none, at, no_types, MPI_COMM_WORLD));
  TELL(MPI_Alltoallv(&out, none, at, MPI_DATATYPE_NULL, &in, none, at, MPI_DATATYPE_NULL, MPI_COMM_WORLD));
  TELL(MPI_Alltoall(&out, 0, MPI_DATATYPE_NULL, &in, 0, MPI_DATATYPE_NULL, MPI_COMM_WORLD));
}

int main(int argc, char** argv) {
  MPI_Errhandler handler;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  MPI_Comm_create_errhandler(count_comm, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
  refused_messages();
  refused_groups();
  unset_communicators();
  refused_windows();
  empty_types();
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "pointers") == 0) refused_pointers();
    if (strcmp(argv[i], "bytes") == 0) refused_bytes();
    if (strcmp(argv[i], "forgiven") == 0) forgiven();
  }
  MPI_Errhandler_free(&handler);
  MPI_Finalize();
  return 0;
}
