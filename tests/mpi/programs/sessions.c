/* Four ranks start MPI by sessions. The first argument selects how. */
#include <mpi.h>
#include <string.h>

static char bytes[64];

static MPI_Session begin(void) {
  MPI_Session session;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  return session;
}

static MPI_Group everybody(MPI_Session session) {
  MPI_Group group;
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  return group;
}

/* Frees the group. */
static MPI_Comm comm_of(MPI_Group group, const char* tag) {
  MPI_Comm comm;
  MPI_Comm_create_from_group(group, tag, MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
  MPI_Group_free(&group);
  return comm;
}

static void send(int n, int from, int to, MPI_Comm comm) {
  int rank;
  MPI_Comm_rank(comm, &rank);
  if (rank == from) MPI_Send(bytes, n, MPI_BYTE, to, 0, comm);
  if (rank == to) MPI_Recv(bytes, n, MPI_BYTE, from, 0, comm, MPI_STATUS_IGNORE);
}

/* Each rank sends n bytes to the next one. */
static void ring(int n, MPI_Comm comm) {
  char in[64];
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  MPI_Sendrecv(bytes, n, MPI_BYTE, (rank + 1) % size, 0, in, n, MPI_BYTE, (rank + size - 1) % size, 0, comm,
               MPI_STATUS_IGNORE);
}

static void ring_of_session(int n) {
  MPI_Session session = begin();
  MPI_Comm comm = comm_of(everybody(session), "ring");
  ring(n, comm);
  MPI_Comm_free(&comm);
  MPI_Session_finalize(&session);
}

/* Two sessions at the same time. First a ring of 5 bytes. In a communicator with reversed ranks: 7 bytes from
 * its rank 0 to its rank 1, and a broadcast of 9 bytes from its rank 0. In a communicator of the second
 * session, created with the tag of the first one: 3 bytes from rank 0 to rank 2. Between the lower and the
 * upper half: 11 bytes from rank 1 to rank 2. Last, a put of 16 bytes from rank 3 to rank 0. */
static void alone(void) {
  const int reversed[] = {3, 2, 1, 0}, lower[] = {0, 1}, upper[] = {2, 3};
  int rank;
  MPI_Session session = begin(), other = begin();
  MPI_Group all = everybody(session), some, halves[2];
  MPI_Comm comm = comm_of(everybody(session), "all");
  ring(5, comm);
  MPI_Group_incl(all, 4, reversed, &some);
  MPI_Comm backwards = comm_of(some, "backwards");
  MPI_Comm_set_name(backwards, "backwards");
  send(7, 0, 1, backwards);
  MPI_Bcast(bytes, 9, MPI_BYTE, 0, backwards);
  MPI_Comm second = comm_of(everybody(other), "all");
  send(3, 0, 2, second);

  MPI_Comm between;
  MPI_Comm_rank(comm, &rank);
  MPI_Group_incl(all, 2, lower, &halves[0]);
  MPI_Group_incl(all, 2, upper, &halves[1]);
  MPI_Intercomm_create_from_groups(halves[rank / 2], 0, halves[1 - rank / 2], 0, "halves", MPI_INFO_NULL,
                                   MPI_ERRORS_ARE_FATAL, &between);
  if (rank == 1) MPI_Send(bytes, 11, MPI_BYTE, 0, 0, between);
  if (rank == 2) MPI_Recv(bytes, 11, MPI_BYTE, 1, 0, between, MPI_STATUS_IGNORE);

  MPI_Win window;
  MPI_Win_create(bytes, sizeof bytes, 1, MPI_INFO_NULL, comm, &window);
  MPI_Win_fence(0, window);
  if (rank == 3) MPI_Put(bytes, 16, MPI_BYTE, 0, 16, 16, MPI_BYTE, window);
  MPI_Win_fence(0, window);
  MPI_Win_free(&window);
  MPI_Comm_free(&between);
  MPI_Group_free(&halves[0]);
  MPI_Group_free(&halves[1]);
  MPI_Group_free(&all);
  MPI_Comm_free(&second);
  MPI_Session_finalize(&other);
  ring(1, comm);
  MPI_Comm_free(&backwards);
  MPI_Comm_free(&comm);
  MPI_Session_finalize(&session);
}

/* Ranks 0 and 1 send 6 bytes to themselves. Ranks 2 and 3 only open sessions. */
static void idle(void) {
  int rank;
  MPI_Session session = begin();
  MPI_Group all = everybody(session), self;
  MPI_Group_rank(all, &rank);
  MPI_Group_free(&all);
  MPI_Group_from_session_pset(session, "mpi://SELF", &self);
  if (rank < 2) {
    MPI_Comm comm = comm_of(self, "self");
    ring(6, comm);
    MPI_Comm_free(&comm);
  } else {
    MPI_Group_free(&self);
  }
  MPI_Session_finalize(&session);
}

/* Rings of 5 and 8 bytes: in two consecutive sessions, or the second ring with MPI_Init, after the session or
 * during it. */
static void then_init(int argc, char** argv) {
  ring_of_session(5);
  MPI_Init(&argc, &argv);
  ring(8, MPI_COMM_WORLD);
  MPI_Finalize();
}

static void around_init(int argc, char** argv) {
  MPI_Session session = begin();
  MPI_Comm comm = comm_of(everybody(session), "ring");
  ring(5, comm);
  MPI_Init(&argc, &argv);
  ring(8, MPI_COMM_WORLD);
  ring(1, comm);
  MPI_Comm_free(&comm);
  MPI_Session_finalize(&session);
  ring(2, MPI_COMM_WORLD);
  MPI_Finalize();
}

int main(int argc, char** argv) {
  if (strcmp(argv[1], "alone") == 0) alone();
  if (strcmp(argv[1], "idle") == 0) idle();
  if (strcmp(argv[1], "then_init") == 0) then_init(argc, argv);
  if (strcmp(argv[1], "around_init") == 0) around_init(argc, argv);
  if (strcmp(argv[1], "twice") == 0) {
    ring_of_session(5);
    ring_of_session(8);
  }
  return 0;
}
