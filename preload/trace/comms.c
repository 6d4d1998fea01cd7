/* Communicators, many to a chunk (FORMATS.md, "Communicators"). */
#include "comms.h"

#include <pthread.h>
#include <string.h>

#include "../pmpi/comm_identity.h"
#include "../pmpi/observer.h"
#include "../store/store.h"
#include "groups.h"

enum {
  kOfChunk = (CW_PROFILE_CHUNK_BYTES - sizeof(struct cw_profile_chunk)) / sizeof(struct cw_profile_comm)
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct cw_profile_chunk* chunk; /* of the newest ones */

static void write_comm(const struct cw_communicator* comm) {
  if (chunk == NULL || chunk->n_items == kOfChunk) {
    struct cw_profile_chunk* next = cw_store_chunk(CW_PROFILE_CHUNK_BYTES, 0);
    if (next == NULL) {
      cw_store_fault(CW_FAULT_NO_SPACE);
      return;
    }
    cw_store_publish(next, CW_CHUNK_COMMS);
    chunk = next;
  }
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
