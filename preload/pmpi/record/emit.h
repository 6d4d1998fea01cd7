/* Turns calls into events of the profile. All recorders end here. */
#ifndef COREWISE_PMPI_RECORD_EMIT_H
#define COREWISE_PMPI_RECORD_EMIT_H

#include <corewise_formats/profile.h>

#include "../../counters/rows.h"
#include "../../store/store.h"
#include "calls/gate.h"
#include "calls/mpi_symbols.h"
#include "calls/types.h"
#include "requests/requests.h"
#include "requests/watch.h"

/* The first event is written in place, member by member: copying the struct as a whole would stall until its
 * members, just written, are stored. Observers know a process outside MPI_COMM_WORLD only as -1. */
static inline __attribute__((always_inline)) void cw_watch_count(struct cw_watch* watch,
                                                                 const struct cw_event* event) {
  if (watch->call.n_counts > 0) {
    struct cw_event copy = *event; /* lets the compiler keep `event` itself in registers */
    if (copy.peer < 0) copy.peer = -1;
    cw_watch_count_more(watch, &copy);
    return;
  }
  struct cw_event* count = &watch->count;
  count->call = event->call;
  count->flags = event->flags;
  count->peer = event->peer < 0 ? -1 : event->peer;
  count->group = event->group;
  count->bytes = event->bytes;
  count->begin = event->begin;
  count->end = event->end;
  watch->call.counts = count;
  watch->call.n_counts = 1;
}

/* Counts the event in the profile and passes it to observers. While a persistent request is being created,
 * the event is stored with the request instead. */
static inline __attribute__((always_inline)) void cw_emit(const struct cw_span* span,
                                                          const struct cw_event* event) {
  if (span->persistent != NULL) {
    cw_request_add(span->persistent, event);
    return;
  }
  if ((span->gate & CW_GATE_TRACED) != 0) cw_row_count(event, (span->gate & CW_GATE_TIMED) != 0);
  if (__builtin_expect(span->watch != NULL, 0)) cw_watch_count(span->watch, event);
}

/* A call without a message, or whose messages are emitted by cw_emit_transfer(). */
static inline __attribute__((always_inline)) void cw_emit_call(uint16_t call, const struct cw_span* span) {
  const struct cw_event event = {
      .call = call, .flags = CW_ROW_CALL, .peer = -1, .begin = span->begin, .end = span->end};
  cw_emit(span, &event);
}

/* A call with one message. If the peer is unknown, only the time is counted. */
static inline __attribute__((always_inline)) void cw_emit_message(uint16_t call, const struct cw_span* span,
                                                                  uint8_t direction, struct cw_peer peer,
                                                                  uint64_t bytes) {
  if (__builtin_expect(peer.rank == -1 || peer.rank == CW_NO_MEMBER, 0)) {
    if (peer.rank == -1) cw_store_fault(CW_FAULT_FOREIGN_PEER);
    cw_emit_call(call, span);
    return;
  }
  const struct cw_event event = {.call = call,
                                 .flags = CW_ROW_CALL | direction,
                                 .peer = peer.rank,
                                 .group = peer.comm,
                                 .bytes = bytes,
                                 .begin = span->begin,
                                 .end = span->end};
  cw_emit(span, &event);
}

/* One of several messages of a call; ignored if the peer is unknown (-1) or CW_NO_MEMBER. */
static inline void cw_emit_transfer(uint16_t call, const struct cw_span* span, uint8_t direction,
                                    int32_t peer, uint64_t bytes) {
  if (peer == -1 || peer == CW_NO_MEMBER) return;
  const struct cw_event event = {
      .call = call, .flags = direction, .peer = peer, .bytes = bytes, .begin = span->end, .end = span->end};
  cw_emit(span, &event);
}

/* Counts the call and its time. */
static inline void cw_record_time(uint16_t call, const struct cw_span* span) { cw_emit_call(call, span); }

/* For persistent requests whose starts send nothing. */
static inline void cw_record_nothing(uint16_t call, const struct cw_span* span) { (void)call, (void)span; }

/* A read or write of `count` elements, as requested: at the end of a file, a read returns fewer. */
static inline void cw_record_file(uint16_t call, const struct cw_span* span, MPI_Count count,
                                  MPI_Datatype type) {
  const struct cw_event event = {.call = call,
                                 .flags = CW_ROW_CALL,
                                 .peer = -1,
                                 .bytes = cw_bytes(count, type),
                                 .begin = span->begin,
                                 .end = span->end};
  cw_emit(span, &event);
}

#endif
