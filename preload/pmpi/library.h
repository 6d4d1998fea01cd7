/* The MPI library that the process has loaded. */
#ifndef COREWISE_PMPI_LIBRARY_H
#define COREWISE_PMPI_LIBRARY_H

#include <stdint.h>

/* Why calls of the loaded MPI can only be forwarded: it is of another family than this library was built for,
 * so handles mean something else. One sentence; NULL if the families agree. */
const char* cw_library_mismatch(void);

/* The family that this library was built for, which is that of the loaded MPI where cw_library_mismatch()
 * finds none (cw_profile_mpi_library). */
uint32_t cw_library_family(void);

/* Path of another tool that wraps MPI (a second PMPI library) and is passed over by what we forward; NULL:
 * there is none. */
const char* cw_library_other_tool(void);

#endif
