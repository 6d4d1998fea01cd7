/* Recorders of calls without a message. */
#ifndef COREWISE_PMPI_RECORD_CALL_H
#define COREWISE_PMPI_RECORD_CALL_H

#include <stdint.h>

#include "emit.h"
#include "layer.h"

/* Counts the call and its time. */
static inline void cw_record_time(uint16_t call, const struct cw_span* span) { cw_emit_call(call, span); }

/* For persistent requests whose starts send nothing. */
static inline void cw_record_nothing(uint16_t call, const struct cw_span* span) { (void)call, (void)span; }

#endif
