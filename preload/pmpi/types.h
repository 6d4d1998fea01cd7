/* Sizes of datatypes. */
#ifndef COREWISE_PMPI_TYPES_H
#define COREWISE_PMPI_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include "mpi_symbols.h"

/* Fills the table of predefined types; after MPI_Init. */
void cw_types_start(void);

/* Bytes of data in one element (MPI_Type_size): the gaps of derived types are not sent. */
uint64_t cw_type_bytes(MPI_Datatype type);

#endif
