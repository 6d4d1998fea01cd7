/* Sizes of datatypes. Predefined types are never freed, so their sizes are in a table, and each thread
 * remembers the last one. Other types are queried each time. */
#include "types.h"

enum { kSlots = 512 };

#ifdef OPEN_MPI
MPI_Datatype cw_type_null;
MPI_Datatype cw_type_byte;
#endif

static struct {
  MPI_Datatype type;
  uint64_t bytes;
  bool used;
} slots[kSlots];

static inline unsigned slot_of(MPI_Datatype type) {
  return (unsigned)(((uint64_t)(uintptr_t)type * 0x9e3779b97f4a7c15u) >> 40) % kSlots;
}

static bool query(MPI_Datatype type, uint64_t* bytes) {
  MPI_Count size = 0;
#ifndef OPEN_MPI
  if (!CW_IS_HANDLE(type, MPI_DATATYPE_NULL)) return false; /* see CW_COMM_UNSET */
#endif
  if (PMPI_Type_size_x(type, &size) != MPI_SUCCESS || size < 0) return false;
  *bytes = (uint64_t)size;
  return true;
}

static void add(MPI_Datatype type) {
  unsigned at = slot_of(type);
  while (slots[at].used && slots[at].type != type) at = (at + 1) % kSlots;
  slots[at].type = type;
  slots[at].used = query(type, &slots[at].bytes);
}

void cw_types_start(void) {
#ifdef OPEN_MPI
  /* Right after MPI_Init, only predefined types have Fortran numbers: 1-75 in Open MPI 4.1
   * (ompi/datatype/ompi_datatype_internal.h). 0 and unused numbers give MPI_DATATYPE_NULL. */
  cw_type_null = PMPI_Type_f2c(0);
  cw_type_byte = PMPI_Type_f2c(1);
  for (MPI_Fint i = 1; i < 128; ++i) {
    const MPI_Datatype type = PMPI_Type_f2c(i);
    if (type != cw_type_null && (void*)type != (void*)0) add(type);
  }
#else
  static const MPI_Datatype predefined[] = {MPI_CHAR,
                                            MPI_SIGNED_CHAR,
                                            MPI_UNSIGNED_CHAR,
                                            MPI_BYTE,
                                            MPI_WCHAR,
                                            MPI_SHORT,
                                            MPI_UNSIGNED_SHORT,
                                            MPI_INT,
                                            MPI_UNSIGNED,
                                            MPI_LONG,
                                            MPI_UNSIGNED_LONG,
                                            MPI_FLOAT,
                                            MPI_DOUBLE,
                                            MPI_LONG_DOUBLE,
                                            MPI_LONG_LONG_INT,
                                            MPI_UNSIGNED_LONG_LONG,
                                            MPI_PACKED,
                                            MPI_CHARACTER,
                                            MPI_INTEGER,
                                            MPI_REAL,
                                            MPI_DOUBLE_PRECISION,
                                            MPI_LOGICAL,
                                            MPI_COMPLEX,
                                            MPI_DOUBLE_COMPLEX,
                                            MPI_INT8_T,
                                            MPI_INT16_T,
                                            MPI_INT32_T,
                                            MPI_INT64_T,
                                            MPI_UINT8_T,
                                            MPI_UINT16_T,
                                            MPI_UINT32_T,
                                            MPI_UINT64_T,
                                            MPI_C_BOOL,
                                            MPI_AINT,
                                            MPI_OFFSET,
                                            MPI_COUNT};
  for (unsigned i = 0; i < sizeof predefined / sizeof *predefined; ++i) {
    if (predefined[i] != MPI_DATATYPE_NULL) add(predefined[i]);
  }
#endif
}

uint64_t cw_type_bytes_of_table(MPI_Datatype type) {
  for (unsigned at = slot_of(type); slots[at].used; at = (at + 1) % kSlots) {
    if (slots[at].type != type) continue;
    cw_thread.type = (uint64_t)(uintptr_t)type;
    cw_thread.type_bytes = slots[at].bytes;
    return slots[at].bytes;
  }
  uint64_t bytes = 0;
  return query(type, &bytes) ? bytes : 0;
}
