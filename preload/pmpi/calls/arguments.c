/* Recognises MPI constants in Fortran arguments by their addresses. */
#include "arguments.h"

#include <stddef.h>

/* Open MPI: addresses of common blocks, absent in programs without Fortran. MPICH translates the
 * constants. */
extern const int mpi_fortran_in_place __attribute__((weak));
extern const int mpi_fortran_in_place_ __attribute__((weak));
extern const int MPI_FORTRAN_IN_PLACE __attribute__((weak));

bool cw_fortran_in_place(const void* buffer) {
  return buffer != NULL && (buffer == &mpi_fortran_in_place || buffer == &mpi_fortran_in_place_ ||
                            buffer == &MPI_FORTRAN_IN_PLACE);
}

/* The first two are of Open MPI, the other two of MPICH's mpi_f08. */
extern const int mpi_fortran_status_ignore_ __attribute__((weak));
extern const int mpi_fortran_statuses_ignore_ __attribute__((weak));
extern const int f08_status_ignore __asm__("MPIR_F08_MPI_STATUS_IGNORE_OBJ") __attribute__((weak));
extern const int f08_statuses_ignore __asm__("MPIR_F08_MPI_STATUSES_IGNORE_OBJ") __attribute__((weak));

bool cw_fortran_status_ignored(const void* status) {
  return status == NULL || status == &mpi_fortran_status_ignore_ || status == &mpi_fortran_statuses_ignore_ ||
         status == &f08_status_ignore || status == &f08_statuses_ignore;
}
