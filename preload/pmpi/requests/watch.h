/* A watched call: collects what observers receive before and after the PMPI call. Wrappers use this only if
 * the thread's gate has CW_GATE_WATCHED, so calls that are not watched cost nothing more.
 *
 * What every watched call needs is inline: as separate functions, it took twice as long as the two clock
 * reads. */
#ifndef COREWISE_PMPI_WATCH_H
#define COREWISE_PMPI_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "calls/gate.h"
#include "calls/mpi_symbols.h"
#include "calls/types.h"
#include "calls_table.h"
#include "comms/groups.h"
#include "dispatch.h"
#include "observer.h"

struct cw_watch {
  struct cw_span span;          /* for the recorders */
  struct cw_call call;          /* for the observers */
  struct cw_event count;        /* its event, if it is the only one, which is the usual case */
  const struct cw_group* group; /* of its communicator; NULL: none, or not resolved */
  const void* requests;         /* requests that it may complete, as the program passes them */
  bool in_fortran;              /* are `requests` Fortran handles? */
  const uint64_t* handles;      /* of `requests` before the call (cw_request_number()) */
  uint32_t n_handles;
  uint64_t begun;                    /* cw_requests_begun() before the call */
  struct cw_completion* completions; /* n_handles entries allocated */
  struct cw_operation* operations;   /* likewise */
  const void* statuses;              /* NULL: unknown */
};

/* Buffers for watched calls. Each thread has its own and reuses them; they are freed when the thread ends. */
enum cw_watch_array {
  CW_ARRAY_COUNTS,
  CW_ARRAY_HANDLES,
  CW_ARRAY_STATUSES,
  CW_ARRAY_COMPLETIONS,
  CW_ARRAY_OPERATIONS,
  CW_ARRAY_POSTED,
  CW_N_WATCH_ARRAYS
};

struct cw_watch_memory {
  void* arrays[CW_N_WATCH_ARRAYS];
  size_t bytes[CW_N_WATCH_ARRAYS]; /* allocated */
};

/* Called once, in MPI_Init. False: the C library has no thread-specific key left. */
bool cw_watch_memory_start(void);

/* This thread's buffer, enlarged to `bytes` if necessary; keeps its contents. NULL: out of memory. */
void* cw_watch_array(enum cw_watch_array array, size_t bytes);

#define CW_WATCH_INLINE static inline __attribute__((always_inline))

/* Before the PMPI call. MPI has not checked the arguments yet, and asking it about an invalid one would call
 * the program's error handler. So handles are only compared here. */

/* Sets members one by one: for a whole struct, the compiler uses a string instruction, which takes as long as
 * the rest of a watched call. */
CW_WATCH_INLINE void cw_watch_begin(struct cw_watch* watch, uintptr_t gate, uint16_t call) {
  struct cw_call* begun = &watch->call;
  watch->span.gate = gate;
  watch->span.begin = watch->span.end = 0;
  watch->span.persistent = watch->span.starting = NULL;
  watch->span.watch = watch;
  begun->name = cw_calls[call].name;
  begun->call = call;
  begun->flags = 0;
  begun->error = 0;
  begun->comm = NULL;
  begun->sent.peer = begun->received.peer = CW_PEER_NONE;
  begun->sent.tag = begun->received.tag = CW_TAG_ANY;
  begun->sent.bytes = begun->received.bytes = 0;
  begun->begin = begun->end = begun->waited = 0;
  begun->counts = NULL;
  begun->posted = NULL;
  begun->completed = NULL;
  begun->n_counts = begun->n_posted = begun->n_completed = 0;
  watch->group = NULL;
  watch->n_handles = 0;
  watch->statuses = NULL;
}

/* The call returns only after the message or request that it waits for is complete. */
CW_WATCH_INLINE void cw_watch_waits(struct cw_watch* watch) { watch->call.flags |= CW_CALL_WAITS; }

/* The call may have to wait for other processes. */
CW_WATCH_INLINE void cw_watch_blocks(struct cw_watch* watch) { watch->call.flags |= CW_CALL_BLOCKS; }

CW_WATCH_INLINE void cw_watch_before(struct cw_watch* watch) {
  cw_dispatch_before(&watch->call);
  watch->call.begin = cw_ticks();
  if ((watch->span.gate & CW_GATE_TIMED) != 0) watch->span.begin = watch->call.begin;
}

/* Right after the PMPI call. True: it succeeded, and MPI may be asked about its arguments. */
CW_WATCH_INLINE bool cw_watch_end(struct cw_watch* watch, int result) {
  watch->call.end = cw_ticks();
  if ((watch->span.gate & CW_GATE_TIMED) != 0) watch->span.end = watch->call.end;
  watch->call.error = result;
  return result == MPI_SUCCESS;
}

/* If it succeeded: describe its arguments. */

CW_WATCH_INLINE void cw_watch_comm(struct cw_watch* watch, MPI_Comm comm) {
  watch->group = cw_group_of_comm(comm);
  watch->call.comm = watch->group == NULL ? NULL : &watch->group->seen;
}

/* World rank of a rank in the call's communicator. */
CW_WATCH_INLINE int32_t cw_watch_peer(const struct cw_watch* watch, int rank) {
  const struct cw_group* group = watch->group;
  if (rank == MPI_PROC_NULL) return CW_PEER_NONE;
  if (rank == MPI_ANY_SOURCE) return CW_PEER_ANY;
  return cw_is_member(group, rank) ? group->world[rank] : CW_PEER_FOREIGN;
}

/* Sets `message` from the arguments; false: no message, because the rank is MPI_PROC_NULL. */
CW_WATCH_INLINE bool cw_watch_describe(const struct cw_watch* watch, struct cw_message* message, int rank,
                                       int tag, MPI_Count count, MPI_Datatype type) {
  const int32_t peer = cw_watch_peer(watch, rank);
  if (peer == CW_PEER_NONE) return false;
  message->peer = peer;
  message->tag = tag == MPI_ANY_TAG ? CW_TAG_ANY : tag;
  message->bytes = cw_bytes(count, type);
  return true;
}

CW_WATCH_INLINE void cw_watch_sends(struct cw_watch* watch, int dest, int tag, MPI_Count count,
                                    MPI_Datatype type) {
  if (cw_watch_describe(watch, &watch->call.sent, dest, tag, count, type)) watch->call.flags |= CW_CALL_SENDS;
}

CW_WATCH_INLINE void cw_watch_receives(struct cw_watch* watch, int source, int tag, MPI_Count count,
                                       MPI_Datatype type) {
  if (cw_watch_describe(watch, &watch->call.received, source, tag, count, type))
    watch->call.flags |= CW_CALL_RECEIVES;
}

CW_WATCH_INLINE void cw_watch_probes(struct cw_watch* watch, int source, int tag) {
  if (cw_watch_describe(watch, &watch->call.received, source, tag, 0, cw_type_null))
    watch->call.flags |= CW_CALL_PROBES;
}

/* Must a recorder that only counts be called? */
CW_WATCH_INLINE bool cw_watch_is_counted(const struct cw_watch* watch) {
  return (watch->span.gate & (CW_GATE_TRACED | CW_GATE_COUNTED)) != 0;
}

/* For a call that waits: adds the time waited to its completions and to the profile. */
void cw_watch_share_wait(struct cw_watch* watch);

/* After the recorders. */
CW_WATCH_INLINE void cw_watch_after(struct cw_watch* watch) {
  if ((watch->call.flags & CW_CALL_WAITS) != 0) cw_watch_share_wait(watch);
  cw_dispatch_after(&watch->call);
  cw_leave(&watch->span);
}

/* Called by cw_emit() for the second and later events of a call. */
void cw_watch_count_more(struct cw_watch* watch, const struct cw_event* event);

#endif
