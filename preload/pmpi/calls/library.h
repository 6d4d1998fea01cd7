/* The MPI library that the process has loaded. */
#ifndef COREWISE_PMPI_LIBRARY_H
#define COREWISE_PMPI_LIBRARY_H

#include <stdint.h>

/* A sentence if the loaded MPI is of another family than this library: handles then have another meaning, and
 * calls can only be forwarded. NULL: the families agree. */
const char* cw_library_mismatch(void);

/* The family that this library was built for (enum cw_profile_mpi_library). */
uint32_t cw_library_family(void);

/* Path of another preloaded library that wraps MPI; it does not see calls that this library forwards. NULL:
 * there is none. */
const char* cw_library_other_tool(void);

#endif
