/* Wrappers of MPI_Pcontrol in C and Fortran. Its level names the current region of the program. */
#include "dispatch.h"
#include "wrapper.h"

#pragma weak PMPI_Pcontrol

static void tell_region(int32_t level) {
  struct cw_span span;
  if (!cw_enter(&span)) return;
  cw_dispatch_region(level);
  cw_leave(&span);
}

/* Further arguments are not forwarded: only the tool that defines them can use them (MPI 3.1, 14.2.4). */
CW_WRAPPER int MPI_Pcontrol(const int level, ...) {
  tell_region(level);
  return PMPI_Pcontrol(level);
}
CW_NAME(pcontrol, "MPI_Pcontrol")

#ifdef OPEN_MPI
extern void pmpi_pcontrol_(void* level) __attribute__((weak));
extern void pmpi_pcontrol_f08_(void* level) __attribute__((weak));

CW_WRAPPER void mpi_pcontrol_(void* level) {
  tell_region(*(const MPI_Fint*)level);
  pmpi_pcontrol_(level);
}
CW_NAME(pcontrol_mpif, "mpi_pcontrol_")

CW_WRAPPER void mpi_pcontrol_f08_(void* level) {
  tell_region(*(const MPI_Fint*)level);
  pmpi_pcontrol_f08_(level);
}
CW_NAME(pcontrol_f08, "mpi_pcontrol_f08_")
#endif
