/* Sizes of datatypes. */
#ifndef COREWISE_PMPI_TYPES_H
#define COREWISE_PMPI_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include "mpi_symbols.h"
#include "thread.h"

/* Fills the table of predefined types; after MPI_Init. */
void cw_types_start(void);

#ifdef OPEN_MPI
extern MPI_Datatype cw_type_null; /* NULL before MPI_Init */
extern MPI_Datatype cw_type_byte; /* MPI_BYTE */
#else
#define cw_type_null MPI_DATATYPE_NULL
#define cw_type_byte MPI_BYTE
#endif

uint64_t cw_type_bytes_of_table(MPI_Datatype type);

/* Bytes of data in one element (MPI_Type_size): the gaps of derived types are not sent. */
static inline __attribute__((always_inline)) uint64_t cw_type_bytes(MPI_Datatype type) {
  if (cw_thread.type == (uint64_t)(uintptr_t)type && cw_thread.type_bytes != 0) return cw_thread.type_bytes;
  return cw_type_bytes_of_table(type);
}

#endif
