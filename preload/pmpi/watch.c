/* Watched calls: their messages from their arguments, and the calls of the observers around them. */
#include "watch.h"

#include "../store/store.h"
#include "../trace/rows.h"
#include "calls_table.h"
#include "dispatch.h"
#include "groups.h"
#include "types.h"
#include "watch_memory.h"

static const struct cw_message no_message = {.peer = CW_PEER_NONE, .tag = CW_TAG_ANY};

/* Member by member: the compiler sets a whole struct of this size to zero by a string instruction, which
 * takes as long as the rest of a watched call. */
static void begin_call(struct cw_call* begun, uint16_t call) {
  begun->name = cw_calls[call].name;
  begun->call = call;
  begun->flags = 0;
  begun->error = 0;
  begun->comm = NULL;
  begun->sent = no_message;
  begun->received = no_message;
  begun->begin = begun->end = begun->waited = 0;
  begun->counts = NULL;
  begun->posted = NULL;
  begun->completed = NULL;
  begun->n_counts = begun->n_posted = begun->n_completed = 0;
}

void cw_watch_begin(struct cw_watch* watch, uintptr_t gate, uint16_t call) {
  watch->span = (struct cw_span){.gate = gate, .watch = watch};
  begin_call(&watch->call, call);
  watch->group = NULL;
  watch->n_handles = 0;
  watch->statuses = NULL;
}

static const struct cw_group* group_of(MPI_Comm comm) {
  if (cw_thread.group != NULL && cw_thread.comm == cw_comm_number(comm)) return cw_group_of_comm(comm);
  return CW_IS_COMM_NULL(comm) ? NULL : cw_group_of_comm(comm);
}

void cw_watch_comm(struct cw_watch* watch, MPI_Comm comm) {
  const struct cw_group* group = group_of(comm);
  watch->call.comm = group == NULL ? NULL : &group->seen;
  watch->group = group;
}

/* World rank of a rank in the call's communicator. */
static int32_t peer_of(const struct cw_watch* watch, int rank) {
  if (rank == MPI_PROC_NULL) return CW_PEER_NONE;
  if (rank == MPI_ANY_SOURCE) return CW_PEER_ANY;
  const struct cw_group* group = watch->group;
  return group != NULL && rank >= 0 && (uint32_t)rank < group->n ? group->world[rank] : CW_PEER_FOREIGN;
}

static struct cw_message message(const struct cw_watch* watch, int rank, int tag, MPI_Count count,
                                 MPI_Datatype type) {
  const int32_t peer = peer_of(watch, rank);
  if (peer == CW_PEER_NONE) return no_message;
  const bool has_size = count > 0 && type != cw_type_null;
  return (struct cw_message){.peer = peer,
                             .tag = tag == MPI_ANY_TAG ? CW_TAG_ANY : tag,
                             .bytes = has_size ? (uint64_t)count * cw_type_bytes(type) : 0};
}

void cw_watch_sends(struct cw_watch* watch, int dest, int tag, MPI_Count count, MPI_Datatype type) {
  watch->call.sent = message(watch, dest, tag, count, type);
  if (watch->call.sent.peer != CW_PEER_NONE) watch->call.flags |= CW_CALL_SENDS;
}

void cw_watch_receives(struct cw_watch* watch, int source, int tag, MPI_Count count, MPI_Datatype type) {
  watch->call.received = message(watch, source, tag, count, type);
  if (watch->call.received.peer != CW_PEER_NONE) watch->call.flags |= CW_CALL_RECEIVES;
}

void cw_watch_probes(struct cw_watch* watch, int source, int tag) {
  const int32_t peer = peer_of(watch, source);
  if (peer == CW_PEER_NONE) return;
  watch->call.received = (struct cw_message){.peer = peer, .tag = tag == MPI_ANY_TAG ? CW_TAG_ANY : tag};
  watch->call.flags |= CW_CALL_PROBES;
}

void cw_watch_waits(struct cw_watch* watch) { watch->call.flags |= CW_CALL_WAITS; }

void cw_watch_blocks(struct cw_watch* watch) { watch->call.flags |= CW_CALL_BLOCKS; }

void cw_watch_before(struct cw_watch* watch) {
  cw_dispatch_before(&watch->call);
  watch->call.begin = cw_ticks();
  watch->span.begin = (watch->span.gate & CW_GATE_TIMED) != 0 ? watch->call.begin : 0;
}

bool cw_watch_end(struct cw_watch* watch, int result) {
  watch->call.end = cw_ticks();
  watch->span.end = (watch->span.gate & CW_GATE_TIMED) != 0 ? watch->call.end : 0;
  watch->call.error = result;
  return result == MPI_SUCCESS;
}

void cw_watch_count_more(struct cw_watch* watch, const struct cw_event* event) {
  struct cw_event* counts = cw_watch_array(CW_ARRAY_COUNTS, (watch->call.n_counts + 1) * sizeof *counts);
  if (counts == NULL) {
    cw_store_fault(CW_FAULT_NO_MEMORY);
    return;
  }
  if (watch->call.n_counts == 1) counts[0] = watch->count;
  counts[watch->call.n_counts++] = *event;
  watch->call.counts = counts;
}

/* A row of time waited, beside that of the call. */
static void add_wait(const struct cw_watch* watch, struct cw_message message, uint64_t ticks) {
  const uintptr_t needed = CW_GATE_TRACED | CW_GATE_TIMED;
  if ((watch->span.gate & needed) != needed || message.peer < 0) return;
  const uint64_t end = watch->call.end;
  const struct cw_event event = {.call = watch->call.call,
                                 .flags = CW_ROW_WAIT,
                                 .peer = message.peer,
                                 .bytes = message.bytes,
                                 .begin = end - ticks,
                                 .end = end};
  cw_trace_event(&event, true);
}

/* MPI doesn't say which of several requests a call has waited for longest: each has an equal share. */
static void share_wait(struct cw_watch* watch) {
  struct cw_call* call = &watch->call;
  const uint64_t ticks = call->end - call->begin;
  if ((call->flags & CW_CALL_GOT) != 0) {
    call->waited = ticks;
    add_wait(watch, call->received, ticks);
  }
  for (uint32_t i = 0; i < call->n_completed; ++i) {
    struct cw_completion* done = &watch->completions[i];
    const bool receives = (done->operation->flags & CW_CALL_RECEIVES) != 0;
    done->waited = ticks / call->n_completed;
    add_wait(watch, receives ? done->received : done->operation->sent, done->waited);
  }
}

void cw_watch_after(struct cw_watch* watch) {
  if ((watch->call.flags & CW_CALL_WAITS) != 0) share_wait(watch);
  cw_dispatch_after(&watch->call);
  cw_leave(&watch->span);
}
