/* The loaded MPI library, found by the objects that its symbols lie in. */
#define _GNU_SOURCE
#include "library.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "corewise_formats/profile.h"
#include "mpi_symbols.h"

void cw_library_find(void) {
  static const char* const sonames[] = {"libmpi.so.40",  "libmpich.so.12", "libmpi.so.12",
                                        "libmpi_abi.so", "libmpich.so",    "libmpi.so"};
  if (dlsym(RTLD_DEFAULT, "PMPI_Init") != NULL) return;
  for (unsigned i = 0; i < sizeof sonames / sizeof *sonames; ++i) {
    if (dlopen(sonames[i], RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL) != NULL) return;
  }
}

/* Path of the object that defines the symbol; NULL where none does. */
static const char* object_of(void* scope, const char* symbol) {
  Dl_info found;
  const void* address = dlsym(scope, symbol);
  return address != NULL && dladdr(address, &found) != 0 ? found.dli_fname : NULL;
}

const char* cw_library_mismatch(void) {
  static char sentence[512];
#ifdef OPEN_MPI
  const char* own = "Open MPI";
  const bool expected_open_mpi = true;
#else
  const char* own = "MPICH";
  const bool expected_open_mpi = false;
#endif
  const char* path = object_of(RTLD_DEFAULT, "PMPI_Init");
  const bool is_open_mpi = dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world") != NULL;
  const bool is_standard_abi = path != NULL && strstr(path, "libmpi_abi") != NULL;
  if (path == NULL || (is_open_mpi == expected_open_mpi && !is_standard_abi)) return NULL;
  snprintf(sentence, sizeof sentence, "the program has loaded %s, which is not %s", path, own);
  return sentence;
}

uint32_t cw_library_family(void) {
#ifdef OPEN_MPI
  return CW_MPI_LIBRARY_OPENMPI;
#else
  return CW_MPI_LIBRARY_MPICH;
#endif
}

/* A library that defines MPI_Send where MPI itself defines neither that nor MPI_Get_version is a tool. Some
 * builds of MPI have PMPI_* in a library of their own, so one comparison is not enough. */
const char* cw_library_other_tool(void) {
  const char* next = object_of(RTLD_NEXT, "MPI_Send");
  const char* mpi = object_of(RTLD_DEFAULT, "PMPI_Send");
  const char* rest = object_of(RTLD_NEXT, "MPI_Get_version");
  if (next == NULL || mpi == NULL || rest == NULL) return NULL;
  return strcmp(next, mpi) != 0 && strcmp(next, rest) != 0 ? next : NULL;
}
