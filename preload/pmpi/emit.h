/* From a call to its events: what every note ends in. */
#ifndef COREWISE_PMPI_EMIT_H
#define COREWISE_PMPI_EMIT_H

#include <corewise_formats/profile.h>

#include "dispatch.h"
#include "layer.h"
#include "requests.h"

/* Hands the event to every observer, or keeps it for the span's persistent request. */
static inline void cw_emit(const struct cw_span* span, const struct cw_event* event) {
  if (span->recipe != NULL) {
    cw_recipe_add(span->recipe, event);
  } else {
    cw_dispatch_event(event);
  }
}

/* A call that sends nothing, or whose bytes are emitted as shares. */
static inline void cw_emit_call(uint16_t call, const struct cw_span* span) {
  const struct cw_event event = {
      .call = call, .flags = CW_ROW_CALL, .peer = -1, .begin = span->begin, .end = span->end};
  cw_emit(span, &event);
}

/* One message that a call makes besides itself; none towards peer -1. */
static inline void cw_emit_share(uint16_t call, const struct cw_span* span, uint8_t direction, int32_t peer,
                                 uint64_t bytes) {
  if (peer < 0) return;
  const struct cw_event event = {
      .call = call, .flags = direction, .peer = peer, .bytes = bytes, .begin = span->end, .end = span->end};
  cw_emit(span, &event);
}

#endif
