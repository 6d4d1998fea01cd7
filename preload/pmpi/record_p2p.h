/* Recorders of point-to-point calls. */
#ifndef COREWISE_PMPI_RECORD_P2P_H
#define COREWISE_PMPI_RECORD_P2P_H

#include <stdint.h>

#include "layer.h"
#include "mpi_symbols.h"

/* One message of `count` elements to `dest`. */
void cw_record_send(uint16_t call, const struct cw_span* span, MPI_Count count, MPI_Datatype type, int dest,
                    MPI_Comm comm);

/* One message in `partitions` parts of `count` elements each, to `dest`. */
void cw_record_psend(uint16_t call, const struct cw_span* span, int partitions, MPI_Count count,
                     MPI_Datatype type, int dest, MPI_Comm comm);

#endif
