/* Sizes of datatypes. */
#ifndef COREWISE_PMPI_TYPES_H
#define COREWISE_PMPI_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include "../../counters/thread.h"
#include "arguments.h"
#include "mpi_symbols.h"

/* Fills the table of predefined types. Called after MPI_Init. */
void cw_types_start(void);

#ifdef OPEN_MPI
extern MPI_Datatype cw_type_null; /* NULL before MPI_Init */
extern MPI_Datatype cw_type_byte; /* MPI_BYTE */
#else
#define cw_type_null MPI_DATATYPE_NULL
#define cw_type_byte MPI_BYTE
#endif

static inline MPI_Datatype cw_type_at(struct cw_types types, uint32_t i) {
  if (types.values == NULL) return cw_type_null;
  return types.fortran ? PMPI_Type_f2c(((const MPI_Fint*)types.values)[i])
                       : ((const MPI_Datatype*)types.values)[i];
}

uint64_t cw_type_bytes_of_table(MPI_Datatype type);

/* Bytes of data in one element (MPI_Type_size), without the gaps of derived types. */
static inline __attribute__((always_inline)) uint64_t cw_type_bytes(MPI_Datatype type) {
  if (cw_thread.type == (uint64_t)(uintptr_t)type && cw_thread.type_bytes != 0) return cw_thread.type_bytes;
  return cw_type_bytes_of_table(type);
}

/* Bytes of `count` elements, after MPI accepted both. Without elements, the type may be MPI_DATATYPE_NULL,
 * which MPI_Type_size refuses. If an error handler returned, MPICH 5 reports success even of a refused
 * call. */
static inline __attribute__((always_inline)) uint64_t cw_bytes(MPI_Count count, MPI_Datatype type) {
  return count <= 0 || type == cw_type_null ? 0 : (uint64_t)count * cw_type_bytes(type);
}

#endif
