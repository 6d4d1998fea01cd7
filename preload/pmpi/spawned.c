/* The name of the MPI_COMM_WORLD of spawned processes, from what started them: PMIx or Hydra. */
#define _GNU_SOURCE
#include "spawned.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "comm_identity.h"
#include "mpi_symbols.h"

bool cw_has_spawner(void) { return getenv("PMI_SPAWNED") != NULL || getenv("OMPI_PARENT_PORT") != NULL; }

/* Hydra's proxy of the node starts processes, and each has a socket to it: the kernel says which process made
 * the socket. 0: there is none. */
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

/* One proxy may start the processes of several calls: those of a call one after the other, the node's first
 * one at the start, which is what this returns. The kernel lists a process's children in that order
 * (proc(5)). 0: not found. */
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
    /* It may be long and have characters that file names can't. */
    snprintf(name, CW_WORLD_NAME_BYTES, "pmix-%016llx",
             (unsigned long long)cw_text_hash(namespace, strlen(namespace)));
  }
  return proxy != 0 || namespace != NULL;
}

#ifdef OPEN_MPI
/* A port is the name of the process, a colon, and a number. Open MPI (ompi/dpm/dpm.c, 4.1 and 5.0) makes it
 * without asking anybody, and gives one of the spawner to the processes that it spawns. */
static uint64_t owner_of(const char* port) {
  if (*port == '"') ++port; /* as it was on the command line of a daemon */
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
