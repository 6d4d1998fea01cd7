/* Turns a call into records: one event, and one part for each further message of the call. */
#include "events.h"

#include <stdlib.h>
#include <string.h>

#include "../counters/row_table.h"
#include "../pmpi/observer.h"
#include "../store/clock.h"
#include "../store/environment.h"
#include "../store/store.h"
#include "event_log.h"

/* Also the default of `corewise trace --event-limit`. */
static const uint64_t kDefaultBytes = 64u << 20;

/* State of one thread: its log, and buffers for the records of one call. */
struct cw_events {
  struct cw_event_log* log;
  struct cw_event_record* records;
  struct cw_event_end* ends;
  uint32_t room; /* allocated entries of `records` */
  uint32_t n_records;
  uint32_t ends_room;
};

void cw_events_start(void) {
  const char* given = cw_environment("COREWISE_EVENT_BYTES");
  const uint64_t bytes = given == NULL ? 0 : strtoull(given, NULL, 10);
  cw_event_log_allow(bytes > 0 ? bytes : kDefaultBytes);
}

static struct cw_events* begin_events(struct cw_row_table* table) {
  struct cw_events* events = calloc(1, sizeof *events);
  if (events == NULL) return NULL;
  events->log = cw_event_log_new(table->thread, cw_ticks_per_s());
  if (events->log == NULL) {
    free(events);
    return NULL;
  }
  table->events = events;
  return events;
}

static bool make_room(struct cw_events* events, uint32_t n_records, uint32_t n_ends) {
  if (n_records > events->room) {
    struct cw_event_record* records = realloc(events->records, 2 * n_records * sizeof *records);
    if (records == NULL) return false;
    events->records = records;
    events->room = 2 * n_records;
  }
  if (n_ends > events->ends_room) {
    struct cw_event_end* ends = realloc(events->ends, 2 * n_ends * sizeof *ends);
    if (ends == NULL) return false;
    events->ends = ends;
    events->ends_room = 2 * n_ends;
  }
  return true;
}

/* The file has one value, -1, for MPI_ANY_SOURCE, MPI_PROC_NULL and processes outside MPI_COMM_WORLD. */
static int32_t peer_in_file(int32_t peer) { return peer < 0 ? -1 : peer; }

static struct cw_event_record* add_record(struct cw_events* events, const struct cw_call* call) {
  struct cw_event_record* record = &events->records[events->n_records++];
  *record = (struct cw_event_record){
      .shape = {.call = call->call, .peer = -1, .comm = call->comm == NULL ? 0 : call->comm->id},
      .begin = call->begin,
      .end = call->end};
  return record;
}

static struct cw_event_record* add_part(struct cw_events* events, const struct cw_call* call) {
  struct cw_event_record* record = add_record(events, call);
  record->shape.flags = CW_EVENT_PART;
  return record;
}

static void set_message(struct cw_event_record* record, enum cw_profile_event_flag direction,
                        const struct cw_message* message) {
  record->shape.flags |= (uint8_t)direction;
  record->shape.peer = peer_in_file(message->peer);
  record->shape.tag = message->tag;
  record->shape.bytes = message->bytes;
}

/* MPI_Isendrecv has one request for two messages. Its receive gets the request, because it has a status. */
static void set_operation(struct cw_events* events, const struct cw_call* call,
                          struct cw_event_record* record, const struct cw_operation* operation) {
  const bool sends = (operation->flags & CW_CALL_SENDS) != 0;
  const bool receives = (operation->flags & CW_CALL_RECEIVES) != 0;
  record->shape.flags |= CW_EVENT_STARTS;
  record->shape.comm = operation->comm;
  record->request = operation->number;
  if (receives) set_message(record, CW_EVENT_RECEIVES, &operation->received);
  if (sends && !receives) set_message(record, CW_EVENT_SENDS, &operation->sent);
  if (!sends || !receives) return;
  struct cw_event_record* sent = add_part(events, call);
  sent->shape.comm = operation->comm;
  set_message(sent, CW_EVENT_SENDS, &operation->sent);
}

static void add_operations(struct cw_events* events, const struct cw_call* call) {
  for (uint32_t i = 0; i < call->n_posted; ++i) {
    struct cw_event_record* record = call->n_posted == 1 ? &events->records[0] : add_part(events, call);
    set_operation(events, call, record, &call->posted[i]);
  }
}

static void add_messages(struct cw_events* events, const struct cw_call* call) {
  const bool sends = (call->flags & CW_CALL_SENDS) != 0;
  if (sends) set_message(&events->records[0], CW_EVENT_SENDS, &call->sent);
  if ((call->flags & CW_CALL_RECEIVES) != 0)
    set_message(sends ? add_part(events, call) : &events->records[0], CW_EVENT_RECEIVES, &call->received);
}

/* Adds what no point-to-point message describes: collectives, one-sided transfers, MPI-IO. */
static void add_counts(struct cw_events* events, const struct cw_call* call) {
  if (cw_store_calls()[call->call].layer == CW_LAYER_COLL)
    events->records[0].shape.flags |= CW_EVENT_COLLECTIVE;
  for (uint32_t i = 0; i < call->n_counts; ++i) {
    const struct cw_event* count = &call->counts[i];
    const bool is_message = (count->flags & (CW_ROW_TO_PEER | CW_ROW_FROM_PEER)) != 0;
    const bool is_collective = (count->flags & CW_ROW_COLLECTIVE) != 0;
    /* MPI_Start counts under the call that created the request, for example MPI_Send_init. */
    if (cw_store_calls()[count->call].layer == CW_LAYER_P2P && !is_collective) continue;
    struct cw_event_record* record =
        (count->flags & CW_ROW_CALL) != 0 ? &events->records[0] : add_part(events, call);
    if (is_collective) record->shape.flags |= CW_EVENT_COLLECTIVE;
    if (is_message)
      record->shape.flags |= (count->flags & CW_ROW_TO_PEER) != 0 ? CW_EVENT_SENDS : CW_EVENT_RECEIVES;
    if (is_collective || is_message) record->shape.peer = count->peer;
    record->shape.bytes = count->bytes;
  }
}

/* A completion repeats only what differs from the arguments of the posting call. */
static bool differs(const struct cw_message* came, const struct cw_message* asked) {
  return came->peer != asked->peer || came->tag != asked->tag || came->bytes != asked->bytes;
}

static void add_ends(struct cw_events* events, const struct cw_call* call) {
  struct cw_event_record* record = &events->records[0];
  record->shape.flags |= CW_EVENT_COMPLETES;
  record->ends = events->ends;
  record->n_ends = call->n_completed;
  for (uint32_t i = 0; i < call->n_completed; ++i) {
    const struct cw_completion* done = &call->completed[i];
    struct cw_event_end* end = &events->ends[i];
    const bool has_status =
        (done->flags & CW_COMPLETED_STATUS) != 0 && differs(&done->received, &done->operation->received);
    const bool is_cancelled = (done->flags & CW_COMPLETED_CANCELLED) != 0;
    *end = (struct cw_event_end){.request = done->operation->number,
                                 .flags = (uint8_t)((has_status ? CW_COMPLETION_STATUS : 0) |
                                                    (is_cancelled ? CW_COMPLETION_CANCELLED : 0)),
                                 .source = peer_in_file(done->received.peer),
                                 .tag = done->received.tag,
                                 .bytes = done->received.bytes};
  }
}

/* A test or probe that found nothing. A polling program makes any number of them, so they are not recorded.
 * MPI_Request_get_status completes nothing, whatever it finds. */
static bool is_idle_look(const struct cw_call* call) {
  if (call->error != 0 || call->n_completed > 0 || (call->flags & (CW_CALL_WAITS | CW_CALL_GOT)) != 0)
    return false;
  return (call->flags & (CW_CALL_COMPLETES | CW_CALL_PROBES)) != 0 ||
         strcmp(cw_store_calls()[call->call].name, "MPI_Request_get_status") == 0;
}

void cw_events_add(struct cw_row_table* table, const struct cw_call* call) {
  if (is_idle_look(call)) return;
  struct cw_events* events = table->events != NULL ? table->events : begin_events(table);
  if (events == NULL || !make_room(events, 3 + 2 * call->n_posted + call->n_counts, call->n_completed)) {
    cw_store_fault(CW_FAULT_NO_MEMORY);
    return;
  }
  events->n_records = 0;
  struct cw_event_record* record = add_record(events, call);
  if (call->error != 0) record->shape.flags |= CW_EVENT_FAILED;
  if (call->n_posted > 0) {
    add_operations(events, call);
  } else if (call->error == 0 && (call->flags & CW_CALL_PREPARES) == 0) {
    add_messages(events, call);
  }
  add_counts(events, call);
  if ((call->flags & CW_CALL_COMPLETES) != 0) add_ends(events, call);
  cw_event_log_add(events->log, events->records, events->n_records);
}
