/* See outside.h. */
#include "outside.h"

#include <pthread.h>
#include <stdlib.h>

#include "../../store/clock.h"
#include "../../store/store.h"
#include "spawned.h"

enum {
  kMost = 1024,
  kOfChunk =
      (CW_PROFILE_CHUNK_BYTES - sizeof(struct cw_profile_chunk)) / sizeof(struct cw_profile_connection),
};

struct connection {
  MPI_Group others;
  uint32_t first;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct connection connections[kMost];
static uint32_t n_connections;
static uint32_t n_processes; /* numbers given so far */
static struct cw_profile_chunk* newest;
static __thread int64_t begin_unix_ns __attribute__((tls_model("initial-exec")));

void cw_outside_begin(void) { begin_unix_ns = cw_unix_ns(); }

/* The caller holds the lock. False: no space. */
static bool write_record(const struct cw_profile_connection* record) {
  if (newest == NULL || newest->n_items == kOfChunk) {
    struct cw_profile_chunk* chunk = cw_store_chunk(CW_PROFILE_CHUNK_BYTES, 0);
    if (chunk == NULL) return false;
    cw_store_publish(chunk, CW_CHUNK_CONNECTIONS);
    newest = chunk;
  }
  ((struct cw_profile_connection*)(newest + 1))[newest->n_items] = *record;
  __atomic_store_n(&newest->n_items, newest->n_items + 1, __ATOMIC_RELEASE);
  return true;
}

/* Keeps or frees the group `others`. The caller holds the lock. */
static void add(struct cw_profile_connection* record, MPI_Group others) {
  record->first = n_processes;
  if (n_connections < kMost && record->n_other <= CW_PROFILE_MAX_RANKS && write_record(record)) {
    connections[n_connections++] = (struct connection){.others = others, .first = n_processes};
    n_processes += record->n_other;
  } else {
    PMPI_Group_free(&others);
  }
}

void cw_outside_connect(enum cw_profile_connection_kind kind, uint64_t id, bool is_root, MPI_Comm made) {
  int own_rank = 0;
  int n_own = 0;
  int n_other = 0;
  MPI_Group others;
  if (PMPI_Comm_rank(made, &own_rank) != MPI_SUCCESS || PMPI_Comm_size(made, &n_own) != MPI_SUCCESS ||
      PMPI_Comm_remote_group(made, &others) != MPI_SUCCESS)
    return;
  PMPI_Group_size(others, &n_other);
  const bool spawns = kind == CW_CONNECTION_SPAWNS && is_root;
  struct cw_profile_connection record = {.id = id,
                                         .spawner = spawns                          ? cw_process_name()
                                                    : kind == CW_CONNECTION_SPAWNED ? cw_spawner_name()
                                                                                    : 0,
                                         .begin_unix_ns = begin_unix_ns,
                                         .end_unix_ns = cw_unix_ns(),
                                         .kind = kind,
                                         .n_own = (uint32_t)n_own,
                                         .own_rank = (uint32_t)own_rank,
                                         .n_other = (uint32_t)n_other,
                                         .is_root = is_root};
  pthread_mutex_lock(&lock);
  add(&record, others);
  pthread_mutex_unlock(&lock);
}

/* Sets the numbers of those members that belong to this connection; true: there are any. */
static bool add_numbers(const struct connection* connection, MPI_Group members, uint32_t n, const int* ranks,
                        int* found, int32_t* numbers) {
  bool any = false;
  if (PMPI_Group_translate_ranks(members, (int)n, ranks, connection->others, found) != MPI_SUCCESS)
    return false;
  for (uint32_t i = 0; i < n; ++i) {
    if (found[i] == MPI_UNDEFINED) continue;
    numbers[i] = (int32_t)connection->first + found[i];
    any = true;
  }
  return any;
}

int32_t* cw_outside_numbers(MPI_Group members, uint32_t n) {
  int* ranks = malloc(2 * n * sizeof *ranks);
  int32_t* numbers = malloc(n * sizeof *numbers);
  bool any = false;
  if (ranks != NULL && numbers != NULL) {
    for (uint32_t i = 0; i < n; ++i) {
      ranks[i] = (int)i;
      numbers[i] = -1;
    }
    pthread_mutex_lock(&lock);
    for (uint32_t i = 0; i < n_connections; ++i)
      any |= add_numbers(&connections[i], members, n, ranks, ranks + n, numbers);
    pthread_mutex_unlock(&lock);
  }
  free(ranks);
  if (any) return numbers;
  free(numbers);
  return NULL;
}

void cw_outside_finish(void) {
  for (uint32_t i = 0; i < n_connections; ++i) PMPI_Group_free(&connections[i].others);
  n_connections = 0;
}
