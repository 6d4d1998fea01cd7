/* The queues monitor: lengths of MPI's queues of unexpected messages and posted receives, from MPI_T
 * variables. Open MPI has them in its component pml/ob1, MPICH in ch3 if configured with --enable-mpit-pvars.
 * Debian's MPICH has none. */
#include <stdlib.h>
#include <string.h>

#include "../../pmpi/calls/mpi_symbols.h"
#include "share/slots.h"
#include "source.h"

enum { MOST_VALUES = 1 << 16 /* Open MPI has one value for each peer */ };

enum { UNEXPECTED, POSTED, N_QUEUES };

/* Names of a queue's variable in Open MPI and in MPICH. */
static const char* const NAMES[N_QUEUES][2] = {
    [UNEXPECTED] = {"pml_ob1_unexpected_msgq_length", "unexpected_recvq_length"},
    [POSTED] = {"pml_ob1_posted_recvq_length", "posted_recvq_length"}};

struct queue {
  MPI_T_pvar_handle handle;
  int n_values;
  void* values; /* NULL: this MPI has no such variable */
  bool is_wide; /* values have 64 bits, else 32 */
};

static MPI_T_pvar_session session;
static struct queue queues[N_QUEUES];
static bool is_started;

struct variable {
  char name[64];
  MPI_Datatype type;
  int is_continuous;
  int binding;
};

static bool describe(int index, struct variable* variable) {
  int length = sizeof variable->name, verbosity, class, is_read_only, is_atomic;
  MPI_T_enum names;
  return PMPI_T_pvar_get_info(index, variable->name, &length, &verbosity, &class, &variable->type, &names,
                              NULL, NULL, &variable->binding, &is_read_only, &variable->is_continuous,
                              &is_atomic) == MPI_SUCCESS;
}

static bool is_of(int queue, const struct variable* variable) {
  if (variable->binding != MPI_T_BIND_MPI_COMM && variable->binding != MPI_T_BIND_NO_OBJECT) return false;
  return strcmp(variable->name, NAMES[queue][0]) == 0 || strcmp(variable->name, NAMES[queue][1]) == 0;
}

static int find(int queue, struct variable* variable) {
  int n = 0;
  if (PMPI_T_pvar_get_num(&n) != MPI_SUCCESS) return -1;
  for (int index = 0; index < n; ++index) {
    if (describe(index, variable) && is_of(queue, variable)) return index;
  }
  return -1;
}

static bool start_variable(struct queue* queue, const struct variable* variable) {
  return variable->is_continuous || PMPI_T_pvar_start(session, queue->handle) == MPI_SUCCESS;
}

static bool open_queue(int which) {
  struct queue* queue = &queues[which];
  struct variable variable;
  const int index = find(which, &variable);
  MPI_Comm world = CW_COMM_WORLD;
  void* object = index >= 0 && variable.binding == MPI_T_BIND_MPI_COMM ? &world : NULL;
  MPI_Count bytes = 0;
  if (index < 0 || PMPI_Type_size_x(variable.type, &bytes) != MPI_SUCCESS || (bytes != 4 && bytes != 8) ||
      PMPI_T_pvar_handle_alloc(session, index, object, &queue->handle, &queue->n_values) != MPI_SUCCESS)
    return false;
  queue->is_wide = bytes == 8;
  if (queue->n_values > 0 && queue->n_values <= MOST_VALUES && start_variable(queue, &variable))
    queue->values = calloc((size_t)queue->n_values, (size_t)bytes);
  return queue->values != NULL;
}

/* Requests MPI's current thread level: Open MPI 4.1 applies the level to the whole library, and with a lower
 * one would stop protecting its data. */
static bool open_tool_interface(void) {
  int level;
  return PMPI_T_init_thread != NULL && PMPI_Query_thread(&level) == MPI_SUCCESS &&
         PMPI_T_init_thread(level, &level) == MPI_SUCCESS;
}

/* Open MPI needs this: while the interface is open, it keeps components loaded after MPI_Finalize. MPICH 4.0
 * must not do it: closing drops its variables for good, and a program that then opens the interface
 * crashes. */
static void close_tool_interface(void) {
#ifdef OPEN_MPI
  PMPI_T_finalize();
#endif
}

static bool start(const struct cw_steer_machine* machine, struct cw_steer_settings* settings) {
  (void)machine, (void)settings;
  if (!open_tool_interface()) return false;
  const bool has_session = PMPI_T_pvar_session_create(&session) == MPI_SUCCESS;
  for (int which = 0; which < N_QUEUES && has_session; ++which) is_started |= open_queue(which);
  if (has_session && !is_started) PMPI_T_pvar_session_free(&session);
  if (!is_started) close_tool_interface();
  return is_started;
}

static int64_t length_of(const struct queue* queue) {
  if (queue->values == NULL || PMPI_T_pvar_read(session, queue->handle, queue->values) != MPI_SUCCESS)
    return -1;
  int64_t sum = 0;
  for (int i = 0; i < queue->n_values; ++i)
    sum += queue->is_wide ? (int64_t)((const uint64_t*)queue->values)[i]
                          : (int64_t)((const uint32_t*)queue->values)[i];
  return sum < 0 ? -1 : sum;
}

/* Only queues of MPI_COMM_WORLD; -1: unknown. */
static void read_rank(struct cw_slot_content* content) {
  content->rank.unexpected = length_of(&queues[UNEXPECTED]);
  content->rank.posted = length_of(&queues[POSTED]);
}

static void finish(void) {
  if (!is_started) return;
  is_started = false;
  PMPI_T_pvar_session_free(&session); /* also frees the handles */
  close_tool_interface();
  for (int which = 0; which < N_QUEUES; ++which) {
    free(queues[which].values);
    queues[which].values = NULL;
  }
}

const struct cw_source cw_source_queues = {.start = start, .read_rank = read_rank, .finish = finish};
