/* The name of the MPI_COMM_WORLD of spawned processes, from what started them: PMIx or Hydra. */
#define _GNU_SOURCE
#include "spawned.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

/* Hydra starts a proxy on each node for each call of MPI_Comm_spawn, and every process has a socket to it:
 * the kernel says which process made the socket. 0: there is none. */
static long hydra_proxy(void) {
  const char* descriptor = getenv("PMI_FD");
  struct ucred maker = {.pid = 0};
  socklen_t bytes = sizeof maker;
  if (getenv("PMI_SPAWNED") == NULL || descriptor == NULL) return 0;
  const bool found = getsockopt(atoi(descriptor), SOL_SOCKET, SO_PEERCRED, &maker, &bytes) == 0;
  return found ? (long)maker.pid : 0;
}

/* FNV-1a (Fowler, Noll, Vo): PMIx's names may be long and have characters that file names can't. */
static uint64_t hash_of(const char* text) {
  uint64_t h = 0xcbf29ce484222325u;
  for (; *text != 0; ++text) h = (h ^ (unsigned char)*text) * 0x100000001b3u;
  return h;
}

bool cw_spawned_world(char name[CW_WORLD_NAME_BYTES]) {
  const char* namespace = getenv("PMIX_NAMESPACE");
  const long proxy = hydra_proxy();
  if (proxy != 0) {
    snprintf(name, CW_WORLD_NAME_BYTES, "hydra-%ld", proxy);
  } else if (namespace != NULL) {
    snprintf(name, CW_WORLD_NAME_BYTES, "pmix-%016llx", (unsigned long long)hash_of(namespace));
  }
  return proxy != 0 || namespace != NULL;
}
