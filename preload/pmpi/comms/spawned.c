/* See spawned.h. */
#define _GNU_SOURCE
#include "spawned.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "calls/mpi_symbols.h"
#include "comm_identity.h"

bool cw_has_spawner(void) { return getenv("PMI_SPAWNED") != NULL || getenv("OMPI_PARENT_PORT") != NULL; }

/* Process id of the Hydra proxy that started this process: it created the socket in PMI_FD, and the kernel
 * knows a socket's creator. 0: unknown. */
static long hydra_proxy(void) {
  const char* descriptor = getenv("PMI_FD");
  struct ucred maker = {.pid = 0};
  socklen_t bytes = sizeof maker;
  if (getenv("PMI_SPAWNED") == NULL || descriptor == NULL) return 0;
  const bool found = getsockopt(atoi(descriptor), SOL_SOCKET, SO_PEERCRED, &maker, &bytes) == 0;
  return found ? (long)maker.pid : 0;
}

static bool is_first_of_its_node(long pid) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%ld/environ", pid);
  FILE* environment = fopen(path, "re");
  char* variable = NULL;
  size_t room = 0;
  bool found = false;
  while (environment != NULL && !found && getdelim(&variable, &room, 0, environment) > 0)
    found = strcmp(variable, "MPI_LOCALRANKID=0") == 0;
  free(variable);
  if (environment != NULL) fclose(environment);
  return found;
}

/* Process id of the first process that was started by the same spawn call on this node. A proxy starts the
 * processes of a call one after the other, and the kernel lists children in that order (proc(5)). 0: not
 * found. */
static long first_of_call(long proxy) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", proxy, proxy);
  FILE* children = fopen(path, "re");
  long first = 0;
  long pid = 0;
  while (children != NULL && pid != getpid() && fscanf(children, "%ld", &pid) == 1) {
    if (is_first_of_its_node(pid)) first = pid;
  }
  if (children != NULL) fclose(children);
  return pid == getpid() ? first : 0;
}

bool cw_spawned_world(char name[CW_WORLD_NAME_BYTES]) {
  const char* namespace = getenv("PMIX_NAMESPACE");
  const long proxy = hydra_proxy();
  if (proxy != 0) {
    const long first = first_of_call(proxy);
    snprintf(name, CW_WORLD_NAME_BYTES, "hydra-%ld", first != 0 ? first : proxy);
  } else if (namespace != NULL) {
    /* Hashed, because it may be long, and contain characters that are not allowed in file names. */
    snprintf(name, CW_WORLD_NAME_BYTES, "pmix-%016llx",
             (unsigned long long)cw_text_hash(namespace, strlen(namespace)));
  }
  return proxy != 0 || namespace != NULL;
}

#ifdef OPEN_MPI
/* A port is the process name, a colon, and a number. In Open MPI 4.1 and 5.0 (ompi/dpm/dpm.c), creating a
 * port needs no communication, and spawned processes get a port of their parent. */
static uint64_t owner_of(const char* port) {
  if (*port == '"') ++port; /* quoted, because it was passed on a command line */
  const char* end = strrchr(port, ':');
  return end == NULL ? 0 : cw_text_hash(port, (size_t)(end - port));
}

uint64_t cw_process_name(void) {
  char port[MPI_MAX_PORT_NAME];
  if (PMPI_Open_port(CW_INFO_NULL, port) != MPI_SUCCESS) return 0;
  PMPI_Close_port(port);
  return owner_of(port);
}

uint64_t cw_spawner_name(void) {
  const char* port = getenv("OMPI_PARENT_PORT");
  return port == NULL ? 0 : owner_of(port);
}
#else
uint64_t cw_process_name(void) { return 0; }
uint64_t cw_spawner_name(void) { return 0; }
#endif
