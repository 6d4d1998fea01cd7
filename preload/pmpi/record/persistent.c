/* See record_persistent.h. */
#include "persistent.h"

#include <corewise_formats/profile.h>

#include "../../store/store.h"
#include "emit.h"
#include "requests/completions.h"
#include "requests/requests.h"

void cw_record_persistent_begin(struct cw_span* span) {
  struct cw_request* request = cw_request_new(true);
  span->persistent = request == NULL ? &cw_request_lost : request;
}

void cw_record_persistent_end(uint16_t call, struct cw_span* span, MPI_Request request) {
  struct cw_request* made = span->persistent == &cw_request_lost ? NULL : span->persistent;
  if (span->watch != NULL) cw_watch_prepares(span->watch, made);
  if (made != NULL) cw_requests_enter(made, cw_request_number(request));
  span->persistent = NULL;
  cw_emit_call(call, span);
}

/* Appends the request of the i-th argument, if it is known, to the list that ends with `last` (NULL: empty).
 * Returns the new end. */
static struct cw_request* find_starting(struct cw_span* span, struct cw_request* last, MPI_Request handle,
                                        uint32_t i) {
  struct cw_request* request = cw_requests_find(cw_request_number(handle));
  if (request == NULL) return last;
  request->position = i;
  request->next_started = NULL;
  *(last == NULL ? &span->starting : &last->next_started) = request;
  return request;
}

void cw_record_starting(struct cw_span* span, MPI_Request request) {
  (void)find_starting(span, NULL, request, 0);
}

void cw_record_starting_all(struct cw_span* span, int n, struct cw_requests requests) {
  struct cw_request* last = NULL;
  for (int i = 0; i < n; ++i)
    last = find_starting(span, last, cw_request_at(requests, (uint32_t)i), (uint32_t)i);
}

/* Emits the stored events without the flag CW_ROW_CALL, because the start itself is counted as a call. */
static void emit_start(const struct cw_span* span, const struct cw_request* request) {
  for (uint32_t i = 0; i < request->n_events; ++i) {
    struct cw_event event = request->events[i];
    event.flags &= (uint8_t)~CW_ROW_CALL;
    event.begin = span->end;
    event.end = span->end;
    if (event.flags != 0) cw_emit(span, &event);
  }
}

static void count_start(const struct cw_span* span, struct cw_request* request, MPI_Request handle) {
  emit_start(span, request);
  if (span->watch != NULL) cw_watch_starts(span->watch, request);
  if (request->handle != cw_request_number(handle)) cw_requests_enter(request, cw_request_number(handle));
}

void cw_record_start(uint16_t call, const struct cw_span* span, MPI_Request request) {
  if (span->starting != NULL) {
    count_start(span, span->starting, request);
  } else {
    cw_store_fault(CW_FAULT_REQUEST);
  }
  cw_emit_call(call, span);
}

void cw_record_startall(uint16_t call, const struct cw_span* span, int n, struct cw_requests requests) {
  struct cw_request* known = span->starting;
  for (int i = 0; i < n; ++i) {
    if (known == NULL || known->position != (uint32_t)i) {
      cw_store_fault(CW_FAULT_REQUEST);
      continue;
    }
    struct cw_request* next = known->next_started; /* read first: count_start() may free the request */
    count_start(span, known, cw_request_at(requests, (uint32_t)i));
    known = next;
  }
  cw_emit_call(call, span);
}

void cw_record_request_free(struct cw_span* span, MPI_Request request) {
  struct cw_request* known = cw_requests_take(cw_request_number(request));
  if (known != NULL && span->watch != NULL) cw_watch_gives_back(span->watch, known);
  cw_request_free(known);
}
