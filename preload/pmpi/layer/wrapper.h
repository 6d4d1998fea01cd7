/* Everything that generated wrappers include. */
#ifndef COREWISE_PMPI_WRAPPER_H
#define COREWISE_PMPI_WRAPPER_H

#include <string.h>

#include "calls/gate.h"
#include "calls/names.h"
#include "calls_table.h"
#include "record/collective.h"
#include "record/comm.h"
#include "record/emit.h"
#include "record/p2p.h"
#include "record/persistent.h"
#include "record/repeats.h"
#include "record/rma.h"
#include "requests/completions.h"
#include "requests/watch.h"

/* Exports a wrapper; all other symbols are hidden. Each wrapper is followed by its CW_NAME(). */
#define CW_WRAPPER __attribute__((visibility("default")))

/* The parts of a wrapper outside the fast path for repeated calls: calls with a clock, first calls, and
 * watched calls. */
#define CW_OTHER_FORM __attribute__((noinline))

/* The function that a Fortran wrapper calls. `other`: its name in the family that this library was not built
 * for. */
#define CW_FORTRAN_TARGET(own, other) (own != 0 ? own : other)

/* Entry points of hand-written Fortran wrappers, in the style of FORTRAN_NAMES in generate.py:
 * `declared`(prefix, suffix) declares the functions to call, `defined`(own, other, suffix) defines the
 * wrappers. */
#ifdef OPEN_MPI
#define CW_FORTRAN_ENTRIES(declared, defined) \
  declared(pmpi_, _f08_);                     \
  declared(pmpir_, _f08_);                    \
  declared(pmpi_, _);                         \
  declared(pmpir_, _);                        \
  defined(pmpi_, pmpir_, _) defined(pmpi_, pmpir_, _f08_)
#elif !defined(CW_MPI_ABI)
#define CW_FORTRAN_ENTRIES(declared, defined) \
  declared(pmpi_, _f08_);                     \
  declared(pmpir_, _f08_);                    \
  defined(pmpir_, pmpi_, _f08_)
#else
#define CW_FORTRAN_ENTRIES(declared, defined)
#endif

/* In mpi_f08, ierror is optional. */
static inline int cw_fortran_result(const void* ierror) {
  return ierror == 0 ? 0 : (int)*(const MPI_Fint*)ierror;
}

_Static_assert(sizeof(MPI_Fint) == sizeof(int), "Fortran arrays of counts are read as int");
_Static_assert(MPI_SUCCESS == 0, "cw_succeeded compares with 0");

#endif
