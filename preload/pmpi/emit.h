/* The two simplest events, for all notes. */
#ifndef COREWISE_PMPI_EMIT_H
#define COREWISE_PMPI_EMIT_H

#include <corewise_formats/profile.h>

#include "layer.h"

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
