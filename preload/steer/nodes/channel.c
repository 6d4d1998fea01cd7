/* See channel.h. Messages are synchronous sends: complete when the receiver has started to receive. */
#define _GNU_SOURCE
#include "channel.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../pmpi/mpi_symbols.h"
#include "../../pmpi/types.h"
#include "../../store/clock.h"
#include "report.h"

enum { TAG = 1, MOST_BYTES = CW_REPORT_WORDS * sizeof(uint64_t) };
static const uint64_t MOST_NS = UINT64_C(60000000000); /* limit of waiting in cw_node_channel_close() */

/* The last message to a node. */
struct outgoing {
  bool under_way;
  MPI_Request request;
  uint64_t words[CW_REPORT_WORDS];
};

struct cw_node_map cw_node_map;

static MPI_Comm comm;
static bool is_open;
static bool failed;                /* MPI reported an error: nothing is sent or received any more */
static struct outgoing** outgoing; /* [node]; NULL: nothing was sent to it yet */
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

/* Allocates the map and returns an array to gather into: 24 bytes per rank of the job. NULL: out of
 * memory. */
static uint64_t* make_room(void) {
  struct cw_node_map* map = &cw_node_map;
  PMPI_Comm_size(CW_COMM_WORLD, &map->n_ranks);
  PMPI_Comm_rank(CW_COMM_WORLD, &map->rank);
  const size_t n = (size_t)map->n_ranks;
  map->node_of = calloc(n, sizeof *map->node_of);
  map->messenger_of = calloc(n, sizeof *map->messenger_of);
  outgoing = calloc(n, sizeof(struct outgoing*));
  const bool has_room = map->node_of != NULL && map->messenger_of != NULL && outgoing != NULL;
  return has_room ? calloc(n, sizeof(uint64_t)) : NULL;
}

/* Creates the communicator. True if all ranks of the job take part. The others call MPI_Comm_split as well,
 * because it is collective. */
static bool join(bool takes_part) {
  int n_members = 0;
  const int color = takes_part ? 0 : MPI_UNDEFINED;
  if (PMPI_Comm_split(CW_COMM_WORLD, color, 0, &comm) != MPI_SUCCESS || !takes_part) return false;
  PMPI_Comm_set_errhandler(comm, CW_ERRORS_RETURN); /* errors here must not reach the program's handler */
  PMPI_Comm_size(comm, &n_members);
  if (n_members == cw_node_map.n_ranks) return true;
  PMPI_Comm_free(&comm);
  return false;
}

/* Gathers the identities of all ranks. If MPI fails, this rank sends nothing, but still takes part in closing
 * the channel. */
static void gather(uint64_t identity, uint64_t* identities) {
  failed = PMPI_Allgather(&identity, sizeof identity, cw_type_byte, identities, sizeof identity, cw_type_byte,
                          comm) != MPI_SUCCESS;
  if (!failed) number_nodes(identities);
}

bool cw_node_channel_open(bool able, uint64_t identity) {
  uint64_t* identities = able ? make_room() : NULL;
  is_open = join(identities != NULL);
  if (is_open) gather(identity, identities);
  free(identities);
  if (!is_open) free_map();
  return is_open && !failed;
}

static bool went_well(int result) {
  failed |= result != MPI_SUCCESS;
  return result == MPI_SUCCESS;
}

static bool is_complete(MPI_Request* request) {
  int complete = 0;
  MPI_Status status;
  return went_well(PMPI_Test(request, &complete, &status)) && complete;
}

/* Has the receiver started to receive? */
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

/* Starts to receive a message that has arrived; a long one is completed in later calls. */
static void begin_to_receive(void) {
  int arrived = 0;
  MPI_Status status;
  MPI_Count bytes = 0;
  if (!went_well(PMPI_Iprobe(MPI_ANY_SOURCE, TAG, comm, &arrived, &status)) || !arrived) return;
  if (!went_well(PMPI_Get_elements_x(&status, cw_type_byte, &bytes))) return;
  if (bytes < 0 || bytes > MOST_BYTES) { /* a message of another version */
    failed = true;
    return;
  }
  receiving =
      went_well(PMPI_Irecv(buffer, (int)bytes, cw_type_byte, status.MPI_SOURCE, TAG, comm, &incoming));
  incoming_words = (int)bytes / (int)sizeof *buffer;
}

/* True: a message is complete. */
static bool receive(void) {
  if (!receiving) begin_to_receive();
  if (!receiving || !is_complete(&incoming)) return false;
  receiving = false;
  return true;
}

int cw_node_channel_receive(uint64_t* words, int most) {
  if (!is_open || failed || !receive() || incoming_words > most) return 0;
  memcpy(words, buffer, (size_t)incoming_words * sizeof *words);
  return incoming_words;
}

/* Receives and drops messages, even after an error of MPI, because their senders wait. */
static void receive_rest(void) {
  while (receive()) continue;
  for (int32_t node = 0; n_under_way > 0 && node < cw_node_map.n_nodes; ++node) {
    if (outgoing[node] != NULL) (void)was_received(outgoing[node]);
  }
}

static void pause_briefly(void) {
  const struct timespec pause = {.tv_nsec = 100000};
  nanosleep(&pause, NULL);
}

/* Enters a barrier and receives messages until all ranks are in it. If MPI fails, tries again for at most a
 * minute, because the others wait for this rank. False: the time is over. */
static bool pass_barrier(uint64_t until_ns) {
  MPI_Request barrier;
  MPI_Status status;
  bool is_in = false;
  int passed = 0;
  for (;;) {
    const int result = is_in ? PMPI_Test(&barrier, &passed, &status) : PMPI_Ibarrier(comm, &barrier);
    const uint64_t now_ns = cw_monotonic_ns();
    if (result == MPI_SUCCESS) {
      is_in = true;
    } else if (until_ns > now_ns + MOST_NS) {
      until_ns = now_ns + MOST_NS;
    }
    if (passed || now_ns >= until_ns) return passed;
    receive_rest();
    pause_briefly();
  }
}

/* Ends when the messages of all ranks were received: a rank enters the second barrier after its own were
 * (Hoefler, Siebert, Lumsdaine, PPoPP 2010, section 3.4). The first barrier has no time limit, like
 * MPI_Finalize: a rank may compute for a long time before it gets here, and would wait forever if others had
 * left. A rank whose message failed enters both barriers, too. True: no message is in progress any more. */
static bool wait_for_all(void) {
  if (!pass_barrier(UINT64_MAX)) return false;
  const uint64_t until_ns = cw_monotonic_ns() + MOST_NS;
  while (n_under_way > 0 && !failed && cw_monotonic_ns() < until_ns) {
    receive_rest();
    pause_briefly();
  }
  const bool passed = pass_barrier(until_ns);
  /* The rest of a message that is being received may still arrive, without its sender's help. */
  while (receiving && !failed && cw_monotonic_ns() < until_ns) {
    receive_rest();
    pause_briefly();
  }
  return passed && !failed && !receiving;
}

void cw_node_channel_close(void) {
  if (!is_open) return;
  const bool all_done = wait_for_all();
  is_open = false;
  if (!all_done) return; /* messages in progress still use their memory */
  for (int32_t node = 0; node < cw_node_map.n_nodes; ++node) free(outgoing[node]);
  free_map();
  PMPI_Comm_free(&comm);
}
