/* Usage: messages FOLDER. Sends random messages by all kinds of sends and receives. Each rank writes a log:
 * for each of its receives, in the order of posting, which message of which rank it got. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kOfBatch = 60, kBatches = 4, kMostInts = 64, kMostRanks = 8, kMost = kOfBatch * kMostRanks };

static int rank, size;
static FILE* out;
static int buffers[kMost][kMostInts];
static int outgoing[kOfBatch][kMostInts];

static unsigned number(int batch, int sender, int i, unsigned what) {
  unsigned x = (unsigned)(batch * 1000003 + sender * 10007 + i * 101) + what * 2654435761u;
  x ^= x >> 16, x *= 2246822519u, x ^= x >> 13, x *= 3266489917u, x ^= x >> 16;
  return x;
}
static int to(int batch, int sender, int i) { return (int)(number(batch, sender, i, 1) % (unsigned)size); }
static int tag_of(int batch, int sender, int i) { return (int)(number(batch, sender, i, 2) % 3); }
static int ints_of(int batch, int sender, int i) {
  return 2 + (int)(number(batch, sender, i, 3) % (kMostInts - 2));
}

static int* message(int batch, int i) {
  outgoing[i][0] = rank;
  outgoing[i][1] = batch * kOfBatch + i;
  return outgoing[i];
}

/* Sends the messages of the batch, with requests or one at a time. */
static void send_all(int batch, MPI_Comm comm, MPI_Request requests[]) {
  for (int i = 0; i < kOfBatch; ++i) {
    int* data = message(batch, i);
    const int n = ints_of(batch, rank, i), dest = to(batch, rank, i), tag = tag_of(batch, rank, i);
    if (batch == 2) {
      MPI_Send_init(data, n, MPI_INT, dest, tag, comm, &requests[i]);
      MPI_Start(&requests[i]);
    } else {
      MPI_Isend(data, n, MPI_INT, dest, tag, comm, &requests[i]);
    }
  }
}

/* Posts a receive for every message of the batch to this rank; in even batches from any source with any tag.
 */
static int post_all(int batch, MPI_Comm comm, MPI_Request requests[]) {
  int n = 0;
  for (int i = 0; i < kOfBatch; ++i) {
    for (int from = 0; from < size; ++from) {
      if (to(batch, from, i) != rank) continue;
      const int source = batch % 2 == 0 ? MPI_ANY_SOURCE : from;
      const int tag = batch % 2 == 0 ? MPI_ANY_TAG : tag_of(batch, from, i);
      if (batch == 2) {
        MPI_Recv_init(buffers[n], kMostInts, MPI_INT, source, tag, comm, &requests[n]);
        MPI_Start(&requests[n]);
      } else if (batch == 3) {
        MPI_Recv(buffers[n], kMostInts, MPI_INT, source, tag, comm, MPI_STATUS_IGNORE);
      } else {
        MPI_Irecv(buffers[n], kMostInts, MPI_INT, source, tag, comm, &requests[n]);
      }
      ++n;
    }
  }
  return n;
}

static void wait_all(int batch, int n, MPI_Request requests[]) {
  if (batch == 1) {
    for (int i = 0, index; i < n; ++i) MPI_Waitany(n, requests, &index, MPI_STATUS_IGNORE);
  } else {
    MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
  }
}

static void run_batch(int batch, MPI_Comm comm) {
  MPI_Request sends[kOfBatch], receives[kMost];
  int n = 0;
  if (batch == 3) {
    send_all(batch, comm, sends);
    n = post_all(batch, comm, receives);
  } else {
    n = post_all(batch, comm, receives);
    send_all(batch, comm, sends);
    wait_all(batch, n, receives);
  }
  wait_all(batch, kOfBatch, sends);
  for (int i = 0; i < n; ++i) fprintf(out, "%d %d\n", buffers[i][0], buffers[i][1]);
  for (int i = 0; batch == 2 && i < n; ++i) MPI_Request_free(&receives[i]);
  for (int i = 0; batch == 2 && i < kOfBatch; ++i) MPI_Request_free(&sends[i]);
  MPI_Barrier(comm);
}

int main(int argc, char** argv) {
  char path[4096];
  MPI_Comm duplicate;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc != 2 || size > kMostRanks) MPI_Abort(MPI_COMM_WORLD, 2);
  snprintf(path, sizeof path, "%s/%d", argv[1], rank);
  out = fopen(path, "w");
  if (out == NULL) MPI_Abort(MPI_COMM_WORLD, 3);
  MPI_Comm_dup(MPI_COMM_WORLD, &duplicate);
  for (int batch = 0; batch < kBatches; ++batch) run_batch(batch, batch < 2 ? MPI_COMM_WORLD : duplicate);
  fclose(out);
  MPI_Comm_free(&duplicate);
  MPI_Finalize();
  return 0;
}
