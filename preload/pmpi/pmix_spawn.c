/* PMIx_Spawn, by which Open MPI starts what MPI_Comm_spawn asks for: the processes get the variables that
 * this library needs. `mpirun -x` of Open MPI 5 sets them in the first processes alone, and the values of an
 * MPI_Info are too short for them. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "wrapper.h"

extern char** environ;

/* As the PMIx standard has it from version 2 on (pmix_app_t); arrays of strings end in NULL, and whoever
 * frees them uses free(). */
struct app {
  char* command;
  char** arguments;
  char** environment;
  char* working_directory;
  int n_processes;
  void* info;
  size_t n_info;
};

enum { kNotSupported = -47 /* PMIX_ERR_NOT_SUPPORTED */ };

typedef int spawn_function(const void* job_info, size_t n_info, struct app apps[], size_t n_apps,
                           char* namespace);

/* PMIx may belong to a plug-in of MPI, where no search but by its name finds it. */
static spawn_function* next_spawn(void) {
  void* found = dlsym(RTLD_NEXT, "PMIx_Spawn");
  void* library = found == NULL ? dlopen("libpmix.so.2", RTLD_LAZY | RTLD_NOLOAD) : NULL;
  return (spawn_function*)(library == NULL ? found : dlsym(library, "PMIx_Spawn"));
}

static bool is_passed_on(const char* variable) {
  return strchr(variable, '=') != NULL && (strncmp(variable, "COREWISE_", strlen("COREWISE_")) == 0 ||
                                           strncmp(variable, "LD_PRELOAD=", strlen("LD_PRELOAD=")) == 0);
}

static size_t length_of(char** strings) {
  size_t n = 0;
  while (strings != NULL && strings[n] != NULL) ++n;
  return n;
}

/* Does the program itself set this variable ("NAME=VALUE") for what it starts? */
static bool is_set(char** environment, const char* variable) {
  const size_t n = (size_t)(strchr(variable, '=') - variable) + 1;
  for (size_t i = 0; environment != NULL && environment[i] != NULL; ++i) {
    if (strncmp(environment[i], variable, n) == 0) return true;
  }
  return false;
}

/* Without memory the processes are started all the same, and not recorded. */
static void add_variables(struct app* app) {
  size_t n = length_of(app->environment);
  char** longer = realloc(app->environment, (n + length_of(environ) + 1) * sizeof *longer);
  if (longer == NULL) return;
  longer[n] = NULL;
  app->environment = longer;
  for (char** variable = environ; *variable != NULL; ++variable) {
    if (!is_passed_on(*variable) || is_set(longer, *variable)) continue;
    longer[n] = strdup(*variable);
    if (longer[n] != NULL) longer[++n] = NULL;
  }
}

CW_WRAPPER int PMIx_Spawn(const void* job_info, size_t n_info, struct app apps[], size_t n_apps,
                          char* namespace);

CW_WRAPPER int PMIx_Spawn(const void* job_info, size_t n_info, struct app apps[], size_t n_apps,
                          char* namespace) {
  spawn_function* const spawn = next_spawn();
  if (spawn == NULL) return kNotSupported;
  if (getenv("COREWISE_SPAWNED") != NULL) {
    for (size_t i = 0; i < n_apps; ++i) add_variables(&apps[i]);
  }
  return spawn(job_info, n_info, apps, n_apps, namespace);
}
