/* Arguments of MPI calls as C, large-count C and Fortran pass them. */
#ifndef COREWISE_PMPI_ARGUMENTS_H
#define COREWISE_PMPI_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "mpi_symbols.h"

struct cw_counts {
  const void* values;
  bool large; /* MPI_Count, else int */
};
struct cw_types {
  const void* values;
  bool fortran; /* MPI_Fint, else MPI_Datatype */
};
struct cw_text {
  const char* at;
  size_t n; /* Fortran pads texts with blanks */
};
struct cw_requests {
  const void* values;
  bool fortran; /* MPI_Fint, else MPI_Request */
};

/* Arrays and texts are NULL if MPI refused them and the program's error handler returned success. */
static inline MPI_Count cw_count_at(struct cw_counts counts, uint32_t i) {
  if (counts.values == NULL) return 0;
  return counts.large ? ((const MPI_Count*)counts.values)[i] : ((const int*)counts.values)[i];
}

static inline struct cw_text cw_text_in_c(const char* text) {
  return (struct cw_text){text, text == NULL ? 0 : strlen(text)};
}

static inline MPI_Request cw_request_at(struct cw_requests requests, uint32_t i) {
  return requests.fortran ? PMPI_Request_f2c(((const MPI_Fint*)requests.values)[i])
                          : ((const MPI_Request*)requests.values)[i];
}

/* Keys of the table of requests. No message has the handle of a request at the same time. */
static inline uint64_t cw_request_number(MPI_Request request) { return (uint64_t)(uintptr_t)request; }
static inline uint64_t cw_message_number(MPI_Message message) { return (uint64_t)(uintptr_t)message; }

/* Is this Fortran argument MPI_IN_PLACE? */
bool cw_fortran_in_place(const void* buffer);

/* Is this Fortran argument MPI_STATUS_IGNORE or MPI_STATUSES_IGNORE? */
bool cw_fortran_status_ignored(const void* status);

#endif
