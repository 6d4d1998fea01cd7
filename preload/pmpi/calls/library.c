/* Identifies the loaded MPI library by the shared objects that define its symbols. */
#define _GNU_SOURCE
#include "library.h"

#include <corewise_formats/profile.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "mpi_symbols.h"
#include "objects.h"

/* Path of the object that defines the symbol; NULL if none does. */
static const char* object_of(void* scope, const char* symbol) {
  Dl_info found;
  const void* address = dlsym(scope, symbol);
  return address != NULL && dladdr(address, &found) != 0 ? found.dli_fname : NULL;
}

#if defined(OPEN_MPI)
static const char own_kind[] = "Open MPI";
#elif defined(CW_MPI_ABI)
static const char own_kind[] = "the MPI standard ABI";
#else
static const char own_kind[] = "MPICH";
#endif

/* Kind of the library at this path. Libraries of the standard ABI have the same file name in every MPI. */
static const char* kind_of(const char* path) {
  const char* slash = strrchr(path, '/');
  if (strncmp(slash == NULL ? path : slash + 1, "libmpi_abi.so", strlen("libmpi_abi.so")) == 0)
    return "the MPI standard ABI";
  return cw_objects_path("ompi_mpi_comm_world") != NULL ? "Open MPI" : "MPICH";
}

const char* cw_library_mismatch(void) {
  static char sentence[512];
  const char* path = cw_objects_path("PMPI_Init");
  if (path == NULL || strcmp(kind_of(path), own_kind) == 0) return NULL;
  snprintf(sentence, sizeof sentence,
           "the program has loaded %s (%s), and the preload library in LD_PRELOAD is the one for %s", path,
           kind_of(path), own_kind);
  return sentence;
}

uint32_t cw_library_family(void) {
#if defined(OPEN_MPI)
  return CW_MPI_LIBRARY_OPENMPI;
#elif defined(CW_MPI_ABI)
  return CW_MPI_LIBRARY_UNKNOWN; /* several MPIs have the standard ABI */
#else
  return CW_MPI_LIBRARY_MPICH;
#endif
}

/* A library that defines MPI_Send, but neither PMPI_Send nor MPI_Get_version, is a tool. One comparison would
 * not suffice: some MPIs have PMPI_* in a separate library. */
const char* cw_library_other_tool(void) {
  const char* next = object_of(RTLD_NEXT, "MPI_Send");
  const char* mpi = object_of(RTLD_DEFAULT, "PMPI_Send");
  const char* rest = object_of(RTLD_NEXT, "MPI_Get_version");
  if (next == NULL || mpi == NULL || rest == NULL) return NULL;
  return strcmp(next, mpi) != 0 && strcmp(next, rest) != 0 ? next : NULL;
}
