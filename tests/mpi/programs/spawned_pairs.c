/* Messages between spawned processes and their parents. The first argument selects how. */
#include <mpi.h>
#include <string.h>

static char bytes[MPI_MAX_PORT_NAME + 16];

static MPI_Comm parent_of(void) {
  MPI_Comm parent;
  MPI_Comm_get_parent(&parent);
  return parent;
}

static MPI_Comm spawn(char** argv, int n, MPI_Comm comm) {
  MPI_Comm made;
  MPI_Comm_spawn(argv[0], argv + 1, n, MPI_INFO_NULL, 0, comm, &made, MPI_ERRCODES_IGNORE);
  return made;
}

static void send(int n, int to, MPI_Comm comm) { MPI_Send(bytes, n, MPI_BYTE, to, 0, comm); }

static void receive(int n, int from, MPI_Comm comm) {
  MPI_Recv(bytes, n, MPI_BYTE, from, 0, comm, MPI_STATUS_IGNORE);
}

/* Two parents, three children: 5 bytes from parent 0 to child 2, 6 from child 1 to parent 1, and a broadcast
 * of 9 bytes from parent 0 to the children. After a merge they are ranks 0 to 4: 7 bytes from 2 to 1, and a
 * broadcast of 11 bytes from 0. In the communicator of the odd ranks: 4 bytes from 3 to 1. */
static void all_together(char** argv) {
  int rank, merged_rank;
  MPI_Comm merged, half, other = parent_of();
  const int is_child = other != MPI_COMM_NULL;
  if (!is_child) other = spawn(argv, 3, MPI_COMM_WORLD);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (!is_child && rank == 0) send(5, 2, other);
  if (is_child && rank == 2) receive(5, 0, other);
  if (is_child && rank == 1) send(6, 1, other);
  if (!is_child && rank == 1) receive(6, 1, other);
  MPI_Bcast(bytes, 9, MPI_BYTE, is_child ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL, other);
  MPI_Intercomm_merge(other, is_child, &merged);
  MPI_Comm_rank(merged, &merged_rank);
  if (merged_rank == 2) send(7, 1, merged);
  if (merged_rank == 1) receive(7, 2, merged);
  MPI_Bcast(bytes, 11, MPI_BYTE, 0, merged);
  MPI_Comm_split(merged, merged_rank % 2, merged_rank, &half);
  if (merged_rank == 3) send(4, 0, half);
  if (merged_rank == 1) receive(4, 1, half);
  MPI_Comm_free(&half);
  MPI_Comm_free(&merged);
  MPI_Comm_disconnect(&other);
}

/* At the same time, each parent spawns its own child, sends it rank + 1 bytes, and gets them back. */
static void each_its_own(char** argv) {
  int rank;
  MPI_Status status;
  MPI_Comm other = parent_of();
  if (other != MPI_COMM_NULL) {
    MPI_Recv(bytes, sizeof bytes, MPI_BYTE, 0, 0, other, &status);
    MPI_Get_count(&status, MPI_BYTE, &rank);
    send(rank, 0, other);
  } else {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = spawn(argv, 1, MPI_COMM_SELF);
    send(rank + 1, 0, other);
    receive(rank + 1, 0, other);
  }
  MPI_Comm_disconnect(&other);
}

/* One parent spawns two children, one after the other. The second connects to the port of the first, which
 * sends it 3 bytes. */
static void children_meet(char** argv) {
  MPI_Comm met, others[2] = {parent_of(), MPI_COMM_NULL};
  if (others[0] == MPI_COMM_NULL) {
    for (int i = 0; i < 2; ++i) {
      others[i] = spawn(argv, 1, MPI_COMM_SELF);
      send(i, 0, others[i]);
    }
    receive(MPI_MAX_PORT_NAME, 0, others[0]);
    send(MPI_MAX_PORT_NAME, 0, others[1]);
    MPI_Comm_disconnect(&others[1]);
  } else {
    MPI_Status status;
    int number;
    MPI_Recv(bytes, sizeof bytes, MPI_BYTE, 0, 0, others[0], &status);
    MPI_Get_count(&status, MPI_BYTE, &number);
    if (number == 0) {
      MPI_Open_port(MPI_INFO_NULL, bytes);
      send(MPI_MAX_PORT_NAME, 0, others[0]);
      MPI_Comm_accept(bytes, MPI_INFO_NULL, 0, MPI_COMM_SELF, &met);
      send(3, 0, met);
    } else {
      receive(MPI_MAX_PORT_NAME, 0, others[0]);
      MPI_Comm_connect(bytes, MPI_INFO_NULL, 0, MPI_COMM_SELF, &met);
      receive(3, 0, met);
    }
    MPI_Comm_disconnect(&met);
  }
  MPI_Comm_disconnect(&others[0]);
}

/* Two parents spawn a child: 5 bytes from parent 0 to the child, and 7 to parent 1. */
static void sent(char** argv) {
  int rank;
  MPI_Comm other = parent_of();
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (other != MPI_COMM_NULL) {
    receive(5, 0, other);
  } else {
    other = spawn(argv, 1, MPI_COMM_WORLD);
    if (rank == 0) send(5, 0, other);
    if (rank == 0) send(7, 1, MPI_COMM_WORLD);
    if (rank == 1) receive(7, 0, MPI_COMM_WORLD);
  }
  MPI_Comm_disconnect(&other);
}

/* The same without the 5 bytes. The 7 bytes, and a broadcast of 9, are sent after a merge with the child. */
static void merged(char** argv) {
  int rank;
  MPI_Comm all, other = parent_of();
  const int is_child = other != MPI_COMM_NULL;
  if (!is_child) other = spawn(argv, 1, MPI_COMM_WORLD);
  MPI_Intercomm_merge(other, is_child, &all);
  MPI_Comm_rank(all, &rank);
  MPI_Bcast(bytes, 9, MPI_BYTE, 0, all);
  if (rank == 0) send(7, 1, all);
  if (rank == 1) receive(7, 0, all);
  MPI_Comm_free(&all);
  MPI_Comm_disconnect(&other);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (strcmp(argv[1], "together") == 0) all_together(argv);
  if (strcmp(argv[1], "own") == 0) each_its_own(argv);
  if (strcmp(argv[1], "meet") == 0) children_meet(argv);
  if (strcmp(argv[1], "sent") == 0) sent(argv);
  if (strcmp(argv[1], "merged") == 0) merged(argv);
  MPI_Finalize();
  return 0;
}
