/* Writes communicators into chunks of the profile (FORMATS.md, "Communicators"). */
#include "comms.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "../pmpi/comms/comm_identity.h"
#include "../pmpi/observer.h"
#include "../store/store.h"
#include "groups.h"

enum {
  kOfChunk = (CW_PROFILE_CHUNK_BYTES - sizeof(struct cw_profile_chunk)) / sizeof(struct cw_profile_comm)
};

/* List of the chunks that this process writes, newest first. */
struct comms {
  struct cw_profile_chunk* chunk;
  struct comms* older;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct comms* newest;

static bool add_chunk(void) {
  struct comms* added = malloc(sizeof *added);
  if (added == NULL) return false;
  *added = (struct comms){.chunk = cw_store_chunk(CW_PROFILE_CHUNK_BYTES, 0), .older = newest};
  if (added->chunk == NULL) {
    free(added);
    return false;
  }
  cw_store_publish(added->chunk, CW_CHUNK_COMMS);
  newest = added;
  return true;
}

static void write_comm(const struct cw_communicator* comm) {
  if ((newest == NULL || newest->chunk->n_items == kOfChunk) && !add_chunk()) {
    cw_store_fault(CW_FAULT_NO_SPACE);
    return;
  }
  struct cw_profile_chunk* chunk = newest->chunk;
  struct cw_profile_comm* written = (struct cw_profile_comm*)(chunk + 1) + chunk->n_items;
  written->id = comm->id;
  written->group = comm->group;
  written->remote_group = comm->is_inter ? comm->remote_group : 0;
  written->parent = comm->parent;
  if (comm->id == CW_COMM_WORLD_ID) strcpy(written->name, "MPI_COMM_WORLD");
  __atomic_store_n(&chunk->n_items, chunk->n_items + 1, __ATOMIC_RELEASE);
}

void cw_trace_comm(const struct cw_communicator* comm) {
  cw_trace_group(comm->group, comm->members, comm->n_members);
  if (!comm->is_listed) return;
  pthread_mutex_lock(&lock);
  write_comm(comm);
  pthread_mutex_unlock(&lock);
}

/* NULL: this process did not write the communicator. */
static struct cw_profile_comm* find_written(uint64_t id) {
  for (const struct comms* at = newest; at != NULL; at = at->older) {
    struct cw_profile_comm* written = (struct cw_profile_comm*)(at->chunk + 1);
    for (uint32_t i = at->chunk->n_items; i > 0; --i) {
      if (written[i - 1].id == id) return &written[i - 1];
    }
  }
  return NULL;
}

/* Cuts a long name to the room in the file, at the boundary of a UTF-8 character. */
static void set_name(struct cw_profile_comm* comm, const char* name) {
  size_t n = strnlen(name, sizeof comm->name);
  if (n == sizeof comm->name) {
    --n;
    while (n > 0 && ((unsigned char)name[n] & 0xc0) == 0x80) --n;
  }
  memset(comm->name, 0, sizeof comm->name);
  memcpy(comm->name, name, n);
}

void cw_trace_comm_named(const struct cw_communicator* comm, const char* name) {
  pthread_mutex_lock(&lock);
  struct cw_profile_comm* written = find_written(comm->id);
  if (written != NULL) set_name(written, name);
  pthread_mutex_unlock(&lock);
}
