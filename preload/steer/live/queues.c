/* See queues.h. Debian's MPICH is built without such variables; Open MPI's pml ob1 has one, MPICH's ch3
 * another where it is configured with --enable-mpit-pvars. */
#include "queues.h"

#include <stdlib.h>
#include <string.h>

#include "../../pmpi/mpi_symbols.h"

enum { MOST_VALUES = 1 << 16 /* Open MPI has one for each peer */ };

static const char* const NAMES[] = {"pml_ob1_unexpected_msgq_length", "unexpected_recvq_length"};

static bool is_started;
static bool is_wide; /* values of 64 bits, else of 32 */
static int n_values;
static void* values;
static MPI_T_pvar_session session;
static MPI_T_pvar_handle handle;

/* What MPI_T says of a variable. */
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

static bool is_wanted(const struct variable* variable) {
  if (variable->binding != MPI_T_BIND_MPI_COMM && variable->binding != MPI_T_BIND_NO_OBJECT) return false;
  for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; ++i) {
    if (strcmp(variable->name, NAMES[i]) == 0) return true;
  }
  return false;
}

static int find(struct variable* variable) {
  int n = 0;
  if (PMPI_T_pvar_get_num(&n) != MPI_SUCCESS) return -1;
  for (int index = 0; index < n; ++index) {
    if (describe(index, variable) && is_wanted(variable)) return index;
  }
  return -1;
}

static bool open_variable(int index, const struct variable* variable) {
  MPI_Comm world = CW_COMM_WORLD;
  void* object = variable->binding == MPI_T_BIND_MPI_COMM ? &world : NULL;
  MPI_Count bytes = 0;
  if (PMPI_Type_size_x(variable->type, &bytes) != MPI_SUCCESS || (bytes != 4 && bytes != 8)) return false;
  is_wide = bytes == 8;
  if (PMPI_T_pvar_handle_alloc(session, index, object, &handle, &n_values) != MPI_SUCCESS) return false;
  values = n_values > 0 && n_values <= MOST_VALUES ? calloc((size_t)n_values, (size_t)bytes) : NULL;
  return values != NULL && (variable->is_continuous || PMPI_T_pvar_start(session, handle) == MPI_SUCCESS);
}

/* With the level that MPI has: Open MPI 4.1 takes this one for the whole library, and no longer guards its
 * data where a lower one is asked for. */
static bool open_tool_interface(void) {
  int level;
  return PMPI_T_init_thread != NULL && PMPI_Query_thread(&level) == MPI_SUCCESS &&
         PMPI_T_init_thread(level, &level) == MPI_SUCCESS;
}

bool cw_queues_start(void) {
  struct variable variable;
  if (!open_tool_interface()) return false;
  const int index = find(&variable);
  const bool has_session = index >= 0 && PMPI_T_pvar_session_create(&session) == MPI_SUCCESS;
  is_started = has_session && open_variable(index, &variable);
  if (has_session && !is_started) PMPI_T_pvar_session_free(&session);
  if (!is_started) PMPI_T_finalize();
  return is_started;
}

int64_t cw_queues_unexpected(void) {
  if (!is_started || PMPI_T_pvar_read(session, handle, values) != MPI_SUCCESS) return -1;
  int64_t sum = 0;
  for (int i = 0; i < n_values; ++i)
    sum += is_wide ? (int64_t)((const uint64_t*)values)[i] : (int64_t)((const uint32_t*)values)[i];
  return sum < 0 ? -1 : sum;
}

void cw_queues_finish(void) {
  if (!is_started) return;
  is_started = false;
  PMPI_T_pvar_session_free(&session); /* and its handle */
  PMPI_T_finalize();
  free(values);
}
