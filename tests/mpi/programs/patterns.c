/* A communication pattern, selected by its name. Each is small enough to write its matrix by hand, as
 * test_trace.py does. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, n;
static char buffer[1 << 20], other[1 << 20];

/* Each rank sends (rank + 1) * 10 bytes to the next rank, three times, each time with a different call. */
static void p2p(void) {
  const int next = (rank + 1) % n, bytes = (rank + 1) * 10;
  MPI_Request request;
  static char attached[4096];
  MPI_Irecv(other, 4096, MPI_BYTE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
  MPI_Send(buffer, bytes, MPI_BYTE, next, 0, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Buffer_attach(attached, sizeof attached);
  MPI_Bsend(buffer, bytes, MPI_BYTE, next, 1, MPI_COMM_WORLD);
  MPI_Recv(other, 4096, MPI_BYTE, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  void* detached;
  int size;
  MPI_Buffer_detach(&detached, &size);
  MPI_Irecv(other, 4096, MPI_BYTE, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &request);
  MPI_Ssend(buffer, bytes, MPI_BYTE, next, 2, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* Rank 0 sends 100 ints to every other rank with Isend. They answer with 8 bytes, received from any source.
 */
static void isend(void) {
  if (rank == 0) {
    MPI_Request requests[64];
    for (int i = 1; i < n; ++i) MPI_Isend(buffer, 100, MPI_INT, i, 0, MPI_COMM_WORLD, &requests[i - 1]);
    MPI_Waitall(n - 1, requests, MPI_STATUSES_IGNORE);
    for (int i = 1; i < n; ++i)
      MPI_Recv(other, 8, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(other, 100, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(buffer, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);
  }
}

/* To the next rank: five starts of a request of 64 bytes. Two of them are by MPI_Startall, together with a
 * request of 32 bytes. */
static void persistent(void) {
  const int next = (rank + 1) % n, last = (rank + n - 1) % n;
  MPI_Request requests[4];
  MPI_Send_init(buffer, 64, MPI_BYTE, next, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Recv_init(other, 64, MPI_BYTE, last, 0, MPI_COMM_WORLD, &requests[1]);
  MPI_Ssend_init(buffer, 32, MPI_BYTE, next, 1, MPI_COMM_WORLD, &requests[2]);
  MPI_Recv_init(other + 64, 32, MPI_BYTE, last, 1, MPI_COMM_WORLD, &requests[3]);
  for (int i = 0; i < 3; ++i) {
    MPI_Start(&requests[1]);
    MPI_Start(&requests[0]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  }
  for (int i = 0; i < 2; ++i) {
    MPI_Startall(4, requests);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  }
  for (int i = 0; i < 4; ++i) MPI_Request_free(&requests[i]);
}

/* Eight starts of a buffered persistent send of 64 KiB before the first receive. Open MPI changes the handle
 * of the request at each start. */
static void buffered(void) {
  enum { kBytes = 65536, kStarts = 8 };
  static char attached[kStarts * (kBytes + 4096)];
  MPI_Request request;
  MPI_Buffer_attach(attached, sizeof attached);
  MPI_Bsend_init(buffer, kBytes, MPI_BYTE, (rank + 1) % n, 0, MPI_COMM_WORLD, &request);
  for (int i = 0; i < kStarts; ++i) {
    if (i % 2 == 0) MPI_Start(&request);
    if (i % 2 == 1) MPI_Startall(1, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  for (int i = 0; i < kStarts; ++i)
    MPI_Recv(other, kBytes, MPI_BYTE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Request_free(&request);
  void* detached;
  int size;
  MPI_Buffer_detach(&detached, &size);
}

/* 24 bytes to the next rank (MPI_PROC_NULL at the ends), and 5 bytes to the rank itself. */
static void sendrecv(void) {
  const int next = rank + 1 < n ? rank + 1 : MPI_PROC_NULL, last = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  MPI_Sendrecv(buffer, 6, MPI_INT, next, 0, other, 6, MPI_INT, last, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv_replace(buffer, 5, MPI_BYTE, rank, 1, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* A communicator of the even ranks in reversed order: its rank 0 sends 7 bytes to its rank 1. Then the same
 * with the even ranks in order, in a communicator that may get the same handle. */
static void split(void) {
  for (int reversed = 1; reversed >= 0; --reversed) {
    MPI_Comm evens;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2 == 0 ? 0 : MPI_UNDEFINED, reversed ? -rank : rank, &evens);
    if (evens == MPI_COMM_NULL) continue;
    int mine;
    MPI_Comm_rank(evens, &mine);
    if (mine == 0) MPI_Send(buffer, 7, MPI_BYTE, 1, 0, evens);
    if (mine == 1) MPI_Recv(buffer, 7, MPI_BYTE, 0, 0, evens, MPI_STATUS_IGNORE);
    MPI_Bcast(buffer, 11, MPI_BYTE, 0, evens);
    MPI_Comm_free(&evens);
  }
}

/* A vector of 10 doubles at a distance of 100 bytes: 80 bytes are sent. */
static void derived(void) {
  MPI_Datatype column;
  MPI_Type_create_hvector(10, 1, 100, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  if (rank == 0) MPI_Send(buffer, 1, column, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(other, 1, column, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Type_free(&column);
}

/* An intercommunicator of the lower and the upper half: rank i of the lower half sends 9 bytes to rank i of
 * the upper half. */
static void intercomm(void) {
  const int half = n / 2, lower = rank < half;
  MPI_Comm own, joined;
  MPI_Comm_split(MPI_COMM_WORLD, lower, rank, &own);
  MPI_Intercomm_create(own, 0, MPI_COMM_WORLD, lower ? half : 0, 0, &joined);
  int mine;
  MPI_Comm_rank(own, &mine);
  if (lower) MPI_Send(buffer, 9, MPI_BYTE, mine, 0, joined);
  if (!lower) MPI_Recv(other, 9, MPI_BYTE, mine, 0, joined, MPI_STATUS_IGNORE);
  MPI_Bcast(buffer, 3, MPI_BYTE, lower ? (mine == 0 ? MPI_ROOT : MPI_PROC_NULL) : 0, joined);
  MPI_Comm_free(&joined);
  MPI_Comm_free(&own);
}

/* Each collective with one size for all members: 8 bytes per member, root 1. */
static void collectives(void) {
  MPI_Bcast(buffer, 8, MPI_BYTE, 1, MPI_COMM_WORLD);
  MPI_Reduce(buffer, other, 1, MPI_DOUBLE, MPI_SUM, 1, MPI_COMM_WORLD);
  MPI_Gather(buffer, 8, MPI_BYTE, other, 8, MPI_BYTE, 1, MPI_COMM_WORLD);
  MPI_Scatter(buffer, 8, MPI_BYTE, other, 8, MPI_BYTE, 1, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, buffer, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
}

/* Non-blocking: an allgather of 4 bytes per member, a scan of 2 bytes, an alltoall of 1 byte per pair. */
static void all_pairs(void) {
  MPI_Request requests[3];
  MPI_Iallgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, buffer, 4, MPI_BYTE, MPI_COMM_WORLD, &requests[0]);
  MPI_Iscan(buffer + 4096, other, 1, MPI_SHORT, MPI_SUM, MPI_COMM_WORLD, &requests[1]);
  MPI_Ialltoall(buffer + 8192, 1, MPI_BYTE, other + 8192, 1, MPI_BYTE, MPI_COMM_WORLD, &requests[2]);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
}

/* Rank i sends 10 * i + j bytes to rank j, by alltoallv, by alltoallw and (from rank 1) by scatterv. */
static void irregular(void) {
  int to[64], from[64], at[64];
  MPI_Datatype types[64];
  for (int i = 0; i < n; ++i) {
    to[i] = 10 * rank + i;
    from[i] = 10 * i + rank;
    at[i] = 1000 * i;
    types[i] = MPI_BYTE;
  }
  MPI_Alltoallv(buffer, to, at, MPI_BYTE, other, from, at, MPI_BYTE, MPI_COMM_WORLD);
  MPI_Alltoallw(buffer, to, at, types, other, from, at, types, MPI_COMM_WORLD);
  MPI_Scatterv(buffer, to, at, MPI_BYTE, other, from[1], MPI_BYTE, 1, MPI_COMM_WORLD);
}

/* A periodic ring: 16 bytes to both neighbours. */
static void neighbors(void) {
  const int periodic = 1;
  MPI_Comm ring;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &n, &periodic, 0, &ring);
  MPI_Neighbor_allgather(buffer, 16, MPI_BYTE, other, 16, MPI_BYTE, ring);
  MPI_Comm_free(&ring);
}

/* Rank 0 puts 40 bytes into rank 1 and gets 24 from it. */
static void one_sided(void) {
  MPI_Win window;
  MPI_Win_create(buffer, 4096, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_fence(0, window);
  if (rank == 0) {
    MPI_Put(other, 40, MPI_BYTE, 1, 0, 40, MPI_BYTE, window);
    MPI_Get(other + 100, 3, MPI_DOUBLE, 1, 100, 3, MPI_DOUBLE, window);
  }
  MPI_Win_fence(0, window);
  MPI_Win_free(&window);
}

static void* send_hundred(void* tag) {
  for (int i = 0; i < 100; ++i) MPI_Send(buffer, 10, MPI_BYTE, (rank + 1) % n, *(int*)tag, MPI_COMM_WORLD);
  return NULL;
}

/* Four threads of each rank send 100 messages of 10 bytes each to the next rank. This happens twice, so that
 * the second round reuses tables. */
static void threads(void) {
  for (int round = 0; round < 2; ++round) {
    pthread_t senders[4];
    int tags[4] = {0, 1, 2, 3};
    for (int i = 0; i < 4; ++i) pthread_create(&senders[i], NULL, send_hundred, &tags[i]);
    for (int i = 0; i < 400; ++i) {
      MPI_Recv(other, 10, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < 4; ++i) pthread_join(senders[i], NULL);
  }
}

/* 50 messages of 4 bytes around the ring. */
static void ring_of_50(void) {
  for (int i = 0; i < 50; ++i) {
    MPI_Sendrecv(buffer, 4, MPI_BYTE, (rank + 1) % n, 0, other, 4, MPI_BYTE, (rank + n - 1) % n, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

/* The same, then rank 0 aborts the job. */
static void give_up(void) {
  ring_of_50();
  if (rank == 0) MPI_Abort(MPI_COMM_WORLD, 3);
  for (;;) pause();
}

/* The same, then all ranks exit without MPI_Finalize. */
static void leave(void) {
  ring_of_50();
  exit(0);
}

/* The same, then it prints a line and waits to be killed. */
static void hang(void) {
  ring_of_50();
  if (rank == 0) puts("waiting");
  fflush(stdout);
  for (;;) pause();
}

/* To the next rank: 6 bytes in region 2 of MPI_Pcontrol, and 7 bytes in region 3, which doesn't end. */
static void regions(void) {
  for (int region = 2; region <= 3; ++region) {
    MPI_Pcontrol(region);
    MPI_Sendrecv(buffer, region + 4, MPI_BYTE, (rank + 1) % n, 0, other, 8, MPI_BYTE, (rank + n - 1) % n, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

/* Many rows: every message to the next rank has another size class and call. */
static void many_rows(void) {
  for (int bytes = 1; bytes <= 1 << 19; bytes *= 2) {
    for (int i = 0; i < 4; ++i) {
      MPI_Request request;
      MPI_Irecv(other, bytes, MPI_BYTE, MPI_ANY_SOURCE, i, MPI_COMM_WORLD, &request);
      const int next = (rank + 1) % n;
      MPI_Request sent = MPI_REQUEST_NULL;
      if (i == 0) MPI_Send(buffer, bytes, MPI_BYTE, next, i, MPI_COMM_WORLD);
      if (i == 1) MPI_Ssend(buffer, bytes, MPI_BYTE, next, i, MPI_COMM_WORLD);
      if (i == 2) MPI_Isend(buffer, bytes, MPI_BYTE, next, i, MPI_COMM_WORLD, &sent);
      if (i == 3) MPI_Issend(buffer, bytes, MPI_BYTE, next, i, MPI_COMM_WORLD, &sent);
      MPI_Wait(&sent, MPI_STATUS_IGNORE);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
  }
}

static void nothing(void) {}

static const struct {
  const char* name;
  void (*run)(void);
} patterns[] = {{"all_pairs", all_pairs},   {"buffered", buffered},   {"collectives", collectives},
                {"derived", derived},       {"give_up", give_up},     {"hang", hang},
                {"intercomm", intercomm},   {"irregular", irregular}, {"isend", isend},
                {"leave", leave},           {"many_rows", many_rows}, {"neighbors", neighbors},
                {"nothing", nothing},       {"one_sided", one_sided}, {"p2p", p2p},
                {"persistent", persistent}, {"regions", regions},     {"sendrecv", sendrecv},
                {"split", split},           {"threads", threads}};

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  for (unsigned i = 0; i < sizeof patterns / sizeof *patterns; ++i) {
    if (argc == 2 && strcmp(argv[1], patterns[i].name) == 0) patterns[i].run();
  }
  MPI_Finalize();
  return 0;
}
