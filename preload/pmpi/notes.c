/* Point to point, persistent and one-sided calls as events. */
#include "notes.h"

#include <corewise_formats/profile.h>

#include "../store/store.h"
#include "emit.h"
#include "groups.h"
#include "requests.h"
#include "types.h"

void cw_note_nothing(uint16_t call, const struct cw_span* span) { (void)call, (void)span; }

void cw_note_time(uint16_t call, const struct cw_span* span) { cw_emit_call(call, span); }

/* A call with one message towards (or from) a world rank. */
static void emit_message(uint16_t call, const struct cw_span* span, uint8_t direction, int32_t peer,
                         uint64_t bytes) {
  if (peer < 0) {
    cw_store_fault(CW_FAULT_FOREIGN_PEER);
    cw_emit_call(call, span);
    return;
  }
  const struct cw_event event = {.call = call,
                                 .flags = CW_ROW_CALL | direction,
                                 .peer = peer,
                                 .bytes = bytes,
                                 .begin = span->begin,
                                 .end = span->end};
  cw_emit(span, &event);
}

void cw_note_send(uint16_t call, const struct cw_span* span, MPI_Count count, MPI_Datatype type, int dest,
                  MPI_Comm comm) {
  if (dest == MPI_PROC_NULL) {
    cw_emit_call(call, span);
    return;
  }
  emit_message(call, span, CW_ROW_TO_PEER, cw_world_rank(comm, dest), (uint64_t)count * cw_type_bytes(type));
}

static uint64_t number_of(MPI_Request request) { return (uint64_t)(uintptr_t)request; }

void cw_note_keep(struct cw_span* span) { span->recipe = cw_recipe_new(); }

void cw_note_kept(uint16_t call, struct cw_span* span, MPI_Request request) {
  if (span->recipe != NULL) cw_requests_keep(number_of(request), span->recipe);
  span->recipe = NULL;
  cw_emit_call(call, span);
}

/* The start itself is a call of its own: the kept events are shares. */
static void emit_kept(const struct cw_event* kept, void* context) {
  const struct cw_span* span = context;
  struct cw_event event = *kept;
  event.flags &= (uint8_t)~CW_ROW_CALL;
  event.begin = span->end;
  event.end = span->end;
  if (event.flags != 0) cw_emit(span, &event);
}

static void count_start(const struct cw_span* span, MPI_Request request) {
  if (!cw_requests_visit(number_of(request), emit_kept, (void*)span)) cw_store_fault(CW_FAULT_REQUEST);
}

void cw_note_start(uint16_t call, const struct cw_span* span, MPI_Request request) {
  count_start(span, request);
  cw_emit_call(call, span);
}

void cw_note_startall(uint16_t call, const struct cw_span* span, int n, struct cw_requests requests) {
  for (int i = 0; i < n; ++i) {
    count_start(span, requests.fortran ? PMPI_Request_f2c(((const MPI_Fint*)requests.values)[i])
                                       : ((const MPI_Request*)requests.values)[i]);
  }
  cw_emit_call(call, span);
}

void cw_note_request_free(MPI_Request request) { cw_requests_drop(number_of(request)); }

static int32_t target_of(MPI_Win win, int target) {
  const struct cw_group* group = cw_group_of_win(win);
  return group != NULL && target >= 0 && (uint32_t)target < group->n ? group->world[target] : -1;
}

static void emit_access(uint16_t call, const struct cw_span* span, uint8_t direction, uint64_t bytes,
                        int target, MPI_Win win) {
  if (target == MPI_PROC_NULL) {
    cw_emit_call(call, span);
  } else {
    emit_message(call, span, direction, target_of(win, target), bytes);
  }
}

void cw_note_put(uint16_t call, const struct cw_span* span, MPI_Count count, MPI_Datatype type, int target,
                 MPI_Win win) {
  emit_access(call, span, CW_ROW_TO_PEER, (uint64_t)count * cw_type_bytes(type), target, win);
}

void cw_note_get(uint16_t call, const struct cw_span* span, MPI_Count count, MPI_Datatype type, int target,
                 MPI_Win win) {
  emit_access(call, span, CW_ROW_FROM_PEER, (uint64_t)count * cw_type_bytes(type), target, win);
}

void cw_note_swap(uint16_t call, const struct cw_span* span, MPI_Count count, MPI_Datatype type, int target,
                  MPI_Win win) {
  const uint64_t bytes = (uint64_t)count * cw_type_bytes(type);
  emit_access(call, span, CW_ROW_TO_PEER, bytes, target, win);
  if (target != MPI_PROC_NULL) cw_emit_share(call, span, CW_ROW_FROM_PEER, target_of(win, target), bytes);
}
