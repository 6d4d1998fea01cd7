/* See node_channel.h. Messages go by synchronous sends, which are complete when they are received. */
#define _GNU_SOURCE
#include "node_channel.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../pmpi/mpi_symbols.h"
#include "../../pmpi/types.h"
#include "../../store/clock.h"
#include "share/report.h"

enum { TAG = 1, MOST_BYTES = CW_REPORT_WORDS * sizeof(uint64_t) };

/* The message to a node. */
struct outgoing {
  bool under_way;
  MPI_Request request;
  uint64_t words[CW_REPORT_WORDS];
};

struct cw_node_map cw_node_map;

static MPI_Comm comm;
static bool is_open;
static bool failed;                /* MPI reported an error: nothing is sent or received any more */
static struct outgoing** outgoing; /* [node]; NULL: nothing was sent there yet */
static int32_t n_under_way;
static bool receiving;
static MPI_Request incoming;
static int incoming_words;
static uint64_t buffer[CW_REPORT_WORDS];

static void free_map(void) {
  free(cw_node_map.node_of);
  free(cw_node_map.messenger_of);
  free(outgoing);
  outgoing = NULL;
  cw_node_map = (struct cw_node_map){0};
}

/* Numbers the nodes of identities[rank]. */
static void number_nodes(const uint64_t* identities) {
  struct cw_node_map* map = &cw_node_map;
  for (int32_t rank = 0; rank < map->n_ranks; ++rank) {
    const bool as_before = rank > 0 && identities[rank] == identities[rank - 1];
    int32_t node = as_before ? map->node_of[rank - 1] : 0;
    while (node < map->n_nodes && identities[map->messenger_of[node]] != identities[rank]) ++node;
    if (node == map->n_nodes) map->messenger_of[map->n_nodes++] = rank;
    map->node_of[rank] = node;
  }
  map->node = map->node_of[map->rank];
}

/* Every rank learns the identities of all. False: MPI could not, or there is no memory, of which a rank needs
 * 24 bytes for each rank of the job. */
static bool gather(uint64_t identity) {
  struct cw_node_map* map = &cw_node_map;
  PMPI_Comm_size(comm, &map->n_ranks);
  PMPI_Comm_rank(comm, &map->rank);
  const size_t n = (size_t)map->n_ranks;
  uint64_t* identities = calloc(n, sizeof *identities);
  map->node_of = calloc(n, sizeof *map->node_of);
  map->messenger_of = calloc(n, sizeof *map->messenger_of);
  outgoing = calloc(n, sizeof(struct outgoing*));
  const bool done = identities != NULL && map->node_of != NULL && map->messenger_of != NULL &&
                    outgoing != NULL &&
                    PMPI_Allgather(&identity, sizeof identity, cw_type_byte, identities, sizeof identity,
                                   cw_type_byte, comm) == MPI_SUCCESS;
  if (done) number_nodes(identities);
  free(identities);
  return done;
}

void cw_node_channel_open(uint64_t identity) {
  if (PMPI_Comm_dup(CW_COMM_WORLD, &comm) != MPI_SUCCESS) return;
  PMPI_Comm_set_errhandler(comm, CW_ERRORS_RETURN); /* a failure here is none of the program's */
  is_open = gather(identity);
  if (is_open && cw_node_map.n_nodes > 1) return;
  free_map();
  if (is_open) PMPI_Comm_free(&comm);
  is_open = false;
}

/* Whether MPI could do what it was asked for. */
static bool went_well(int result) {
  failed |= result != MPI_SUCCESS;
  return result == MPI_SUCCESS;
}

static bool is_complete(MPI_Request* request) {
  int complete = 0;
  MPI_Status status;
  return went_well(PMPI_Test(request, &complete, &status)) && complete;
}

/* Of a synchronous send: the other side has begun to receive. */
static bool was_received(struct outgoing* message) {
  if (message->under_way && is_complete(&message->request)) {
    message->under_way = false;
    --n_under_way;
  }
  return !message->under_way;
}

bool cw_node_channel_send(int32_t node, const uint64_t* words, int n_words) {
  if (!is_open || failed) return false;
  if (outgoing[node] == NULL) outgoing[node] = calloc(1, sizeof *outgoing[node]);
  struct outgoing* message = outgoing[node];
  if (message == NULL || !was_received(message) || failed) return false;
  memcpy(message->words, words, (size_t)n_words * sizeof *words);
  if (!went_well(PMPI_Issend(message->words, n_words * (int)sizeof *words, cw_type_byte,
                             cw_node_map.messenger_of[node], TAG, comm, &message->request)))
    return false;
  message->under_way = true;
  ++n_under_way;
  return true;
}

/* Begins to receive a message that has arrived. It goes on in later calls where it is long. */
static void begin_to_receive(void) {
  int arrived = 0;
  MPI_Status status;
  MPI_Count bytes = 0;
  if (!went_well(PMPI_Iprobe(MPI_ANY_SOURCE, TAG, comm, &arrived, &status)) || !arrived) return;
  if (!went_well(PMPI_Get_elements_x(&status, cw_type_byte, &bytes))) return;
  failed |= bytes < 0 || bytes > MOST_BYTES; /* a message of another version */
  if (failed) return;
  receiving =
      went_well(PMPI_Irecv(buffer, (int)bytes, cw_type_byte, status.MPI_SOURCE, TAG, comm, &incoming));
  incoming_words = (int)bytes / (int)sizeof *buffer;
}

int cw_node_channel_receive(uint64_t* words, int most) {
  if (!is_open || failed) return 0;
  if (!receiving) begin_to_receive();
  if (!receiving || !is_complete(&incoming)) return 0;
  receiving = false;
  if (incoming_words > most) return 0;
  memcpy(words, buffer, (size_t)incoming_words * sizeof *words);
  return incoming_words;
}

static void receive_rest(void) {
  uint64_t words[CW_REPORT_WORDS];
  while (cw_node_channel_receive(words, CW_REPORT_WORDS) > 0) continue;
  for (int32_t node = 0; n_under_way > 0 && node < cw_node_map.n_nodes; ++node) {
    if (outgoing[node] != NULL) (void)was_received(outgoing[node]);
  }
}

/* Ends when every rank's messages were received: a rank enters the barrier when its own were (Hoefler,
 * Siebert, Lumsdaine, PPoPP 2010, section 3.4). True: all are here. */
static bool wait_for_all(void) {
  static const uint64_t most_ns = UINT64_C(60000000000);
  const struct timespec pause = {.tv_nsec = 100000};
  const uint64_t begin_ns = cw_monotonic_ns();
  MPI_Request barrier;
  bool in_barrier = false;
  while (!failed && cw_monotonic_ns() - begin_ns < most_ns) {
    receive_rest();
    if (!in_barrier && n_under_way == 0 && !receiving) in_barrier = went_well(PMPI_Ibarrier(comm, &barrier));
    if (in_barrier && is_complete(&barrier)) return true;
    nanosleep(&pause, NULL);
  }
  return false;
}

void cw_node_channel_close(void) {
  if (!is_open) return;
  const bool all_done = wait_for_all();
  is_open = false;
  if (!all_done) return; /* what is under way still needs its memory */
  for (int32_t node = 0; node < cw_node_map.n_nodes; ++node) free(outgoing[node]);
  free_map();
  PMPI_Comm_free(&comm);
}
