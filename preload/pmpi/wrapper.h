/* What the generated wrappers include. */
#ifndef COREWISE_PMPI_WRAPPER_H
#define COREWISE_PMPI_WRAPPER_H

#include <string.h>

#include "calls_table.h"
#include "completions.h"
#include "layer.h"
#include "names.h"
#include "record_call.h"
#include "record_collective.h"
#include "record_comm.h"
#include "record_io.h"
#include "record_p2p.h"
#include "record_persistent.h"
#include "record_rma.h"
#include "repeats.h"
#include "watch.h"

/* The library hides all its other symbols. Next to each wrapper stands its CW_NAME(). */
#define CW_WRAPPER __attribute__((visibility("default")))

/* The other forms of a wrapper, apart from the path of calls that repeat others: where calls are timed, where
 * one has not been counted before, and where observers watch. */
#define CW_OTHER_FORM __attribute__((noinline))

/* What a Fortran entry point forwards to: `other` is the name of the family that this library was not built
 * for. */
#define CW_FORTRAN_TARGET(own, other) (own != 0 ? own : other)

/* Fortran's entry points that are written by hand, by the names in FORTRAN_NAMES of generate.py:
 * `declared`(prefix, suffix) declares those that may be forwarded to, `defined`(own, other, suffix) defines
 * the wrappers. */
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

/* mpi_f08 lets callers leave ierror out. */
static inline int cw_fortran_result(const void* ierror) {
  return ierror == 0 ? 0 : (int)*(const MPI_Fint*)ierror;
}

_Static_assert(sizeof(MPI_Fint) == sizeof(int), "Fortran arrays of counts are read as int");
_Static_assert(MPI_SUCCESS == 0, "cw_succeeded compares with 0");

#endif
