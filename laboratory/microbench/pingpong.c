/** Time of one message between two ranks, by size: half of the round trip, averaged over `rounds`. */
#include "bench.h"

typedef struct {
  int first, second, rounds;
} pair;

static pair pair_of(const bench* b) {
  const int second = (int)bench_number(b, "second");
  return (pair){(int)bench_number(b, "first"), second > 0 ? second : b->n_ranks - 1,
                (int)bench_number(b, "rounds")};
}

static void* prepare(const bench* b) {
  const pair p = pair_of(b);
  if (p.first == p.second || p.first >= b->n_ranks || p.second >= b->n_ranks || p.rounds < 1) {
    bench_refuse(
        b, "pingpong: ranks %d and %d of %d, %d rounds; expected two different ranks and 1 round or more",
        p.first, p.second, b->n_ranks, p.rounds);
    return NULL;
  }
  unsigned char* buffer = bench_alloc(b->size_bytes);
  if (b->rank == p.first) bench_fill(buffer, b->size_bytes, p.first);
  return buffer;
}

static void send_to(const bench* b, const void* buffer, int dst) {
  bench_count_send(b, dst, b->size_bytes);
  MPI_Send(buffer, (int)b->size_bytes, MPI_BYTE, dst, 0, MPI_COMM_WORLD);
}

static void receive_from(const bench* b, void* buffer, int src) {
  MPI_Recv(buffer, (int)b->size_bytes, MPI_BYTE, src, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void run(const bench* b, void* state) {
  const pair p = pair_of(b);
  for (int i = 0; i < p.rounds; ++i) {
    if (b->rank == p.first) {
      send_to(b, state, p.second);
      receive_from(b, state, p.second);
    } else if (b->rank == p.second) {
      receive_from(b, state, p.first);
      send_to(b, state, p.first);
    }
  }
}

static bool check(const bench* b, const void* state) {
  const pair p = pair_of(b);
  return (b->rank != p.first && b->rank != p.second) || bench_is_filled(state, b->size_bytes, p.first);
}

static int n_sequential_messages(const bench* b) { return 2 * pair_of(b).rounds; }

int main(int argc, char** argv) {
  bench_option options[] = {{"first", "0", "the rank that starts"},
                            {"second", "0", "the rank that answers; 0 stands for the last"},
                            {"rounds", "100", "messages there and back in one timed run"},
                            {0}};
  benchmark self = {.name = "pingpong",
                    .sentence = "time of one message between two ranks, by size",
                    .sizes = "0,8,64,512,4096,32768,262144,1048576",
                    .options = options,
                    .prepare = prepare,
                    .run = run,
                    .check = check,
                    .n_sequential_messages = n_sequential_messages};
  return bench_main(argc, argv, &self);
}
