/* Wrapper of PMIx_Spawn, which Open MPI calls in MPI_Comm_spawn: gives this library's environment variables
 * to spawned processes. `mpirun -x` of Open MPI 5 sets variables only in the first processes, and values of
 * an MPI_Info are too short for them. */
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "../../store/environment.h"
#include "calls/objects.h"
#include "wrapper.h"

/* pmix_app_t of the PMIx standard since version 2. Lists of strings end with NULL; PMIx frees them with
 * free(). */
struct app {
  char* command;
  char** arguments;
  char** environment;
  char* working_directory;
  int n_processes;
  void* info;
  size_t n_info;
};

typedef int spawn_function(const void* job_info, size_t n_info, struct app apps[], size_t n_apps,
                           char* namespace);

static size_t length_of(char* const* strings) {
  size_t n = 0;
  while (strings != NULL && strings[n] != NULL) ++n;
  return n;
}

/* Does the program set this variable ("NAME=VALUE") itself? */
static bool is_set(char** environment, const char* variable) {
  const size_t n = (size_t)(strchr(variable, '=') - variable) + 1;
  for (size_t i = 0; environment != NULL && environment[i] != NULL; ++i) {
    if (strncmp(environment[i], variable, n) == 0) return true;
  }
  return false;
}

/* If memory runs out, the processes start anyway, unrecorded. */
static void add_variables(struct app* app) {
  char* const* const taken = cw_environment_taken();
  size_t n = length_of(app->environment);
  char** longer = realloc(app->environment, (n + length_of(taken) + 1) * sizeof *longer);
  if (longer == NULL) return;
  longer[n] = NULL;
  app->environment = longer;
  for (char* const* variable = taken; variable != NULL && *variable != NULL; ++variable) {
    if (is_set(longer, *variable)) continue;
    longer[n] = strdup(*variable);
    if (longer[n] != NULL) longer[++n] = NULL;
  }
}

CW_WRAPPER int PMIx_Spawn(const void* job_info, size_t n_info, struct app apps[], size_t n_apps,
                          char* namespace);

CW_WRAPPER int PMIx_Spawn(const void* job_info, size_t n_info, struct app apps[], size_t n_apps,
                          char* namespace) {
  spawn_function* const spawn = (spawn_function*)cw_objects_find("PMIx_Spawn");
  if (cw_environment("COREWISE_SPAWNED") != NULL) {
    for (size_t i = 0; i < n_apps; ++i) add_variables(&apps[i]);
  }
  return spawn(job_info, n_info, apps, n_apps, namespace);
}
CW_NAME(pmix_spawn, "PMIx_Spawn")
