/* MPI_IN_PLACE as Fortran passes it. */
#include "arguments.h"

#include <stddef.h>

/* Open MPI's Fortran constants are addresses of common blocks; a program without Fortran has none of them.
 * MPICH's arrive translated. */
extern const int mpi_fortran_in_place __attribute__((weak));
extern const int mpi_fortran_in_place_ __attribute__((weak));
extern const int MPI_FORTRAN_IN_PLACE __attribute__((weak));

bool cw_fortran_in_place(const void* buffer) {
  return buffer != NULL && (buffer == &mpi_fortran_in_place || buffer == &mpi_fortran_in_place_ ||
                            buffer == &MPI_FORTRAN_IN_PLACE);
}
