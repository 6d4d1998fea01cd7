/* Recorders of MPI-IO. */
#ifndef COREWISE_PMPI_RECORD_IO_H
#define COREWISE_PMPI_RECORD_IO_H

#include <corewise_formats/profile.h>
#include <stdint.h>

#include "emit.h"
#include "layer.h"
#include "mpi_symbols.h"
#include "types.h"

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
