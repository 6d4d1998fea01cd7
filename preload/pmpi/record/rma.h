/* Recorders of one-sided calls. */
#ifndef COREWISE_PMPI_RECORD_RMA_H
#define COREWISE_PMPI_RECORD_RMA_H

#include <stdint.h>

#include "calls/gate.h"
#include "calls/mpi_symbols.h"

/* From the caller to the target. */
void cw_record_put(uint16_t call, const struct cw_span* span, MPI_Count count, MPI_Datatype type, int target,
                   MPI_Win win);

/* From the target to the caller. */
void cw_record_get(uint16_t call, const struct cw_span* span, MPI_Count count, MPI_Datatype type, int target,
                   MPI_Win win);

/* The same size in both directions. */
void cw_record_get_accumulate(uint16_t call, const struct cw_span* span, MPI_Count count, MPI_Datatype type,
                              int target, MPI_Win win);

#endif
