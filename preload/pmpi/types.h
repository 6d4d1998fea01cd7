/* Sizes of datatypes. */
#ifndef COREWISE_PMPI_TYPES_H
#define COREWISE_PMPI_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include "mpi_symbols.h"

/* Fills the table of predefined types; after MPI_Init. */
void cw_types_start(void);

/* True bytes of one element (MPI_Type_size): holes of derived types don't travel. */
uint64_t cw_type_bytes(MPI_Datatype type);

#endif
