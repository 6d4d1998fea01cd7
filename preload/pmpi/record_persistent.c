/* Persistent operations as events: a template is filled when the request is made and emitted at each start.
 */
#include "record_persistent.h"

#include <corewise_formats/profile.h>

#include "../store/store.h"
#include "emit.h"
#include "requests.h"

static uint64_t number_of(MPI_Request request) { return (uint64_t)(uintptr_t)request; }

void cw_record_persistent_begin(struct cw_span* span) { span->request_template = cw_request_template_new(); }

void cw_record_persistent_end(uint16_t call, struct cw_span* span, MPI_Request request) {
  if (span->request_template != NULL) cw_requests_insert(number_of(request), span->request_template);
  span->request_template = NULL;
  cw_emit_call(call, span);
}

/* The start is a call of its own: the events of the template are its transfers. */
static void emit_from_template(const struct cw_event* stored, void* context) {
  const struct cw_span* span = context;
  struct cw_event event = *stored;
  event.flags &= (uint8_t)~CW_ROW_CALL;
  event.begin = span->end;
  event.end = span->end;
  if (event.flags != 0) cw_emit(span, &event);
}

static void count_start(const struct cw_span* span, MPI_Request request) {
  if (!cw_requests_visit(number_of(request), emit_from_template, (void*)span))
    cw_store_fault(CW_FAULT_REQUEST);
}

void cw_record_start(uint16_t call, const struct cw_span* span, MPI_Request request) {
  count_start(span, request);
  cw_emit_call(call, span);
}

void cw_record_startall(uint16_t call, const struct cw_span* span, int n, struct cw_requests requests) {
  for (int i = 0; i < n; ++i) count_start(span, cw_request_at(requests, (uint32_t)i));
  cw_emit_call(call, span);
}

void cw_record_request_free(MPI_Request request) { cw_requests_remove(number_of(request)); }
