/* Recorders of calls that make communicators. */
#ifndef COREWISE_PMPI_RECORD_COMM_H
#define COREWISE_PMPI_RECORD_COMM_H

#include <stdint.h>

#include "emit.h"
#include "groups.h"
#include "layer.h"
#include "mpi_symbols.h"
#include "outside.h"

/* By all members of `comm`. */
static inline void cw_record_comm_made(uint16_t call, const struct cw_span* span, MPI_Comm comm,
                                       MPI_Comm made) {
  cw_emit_call(call, span);
  cw_comm_made(comm, made);
}

/* The new one exists later: it is counted, and its id stays that of its members. */
static inline void cw_record_comm_idup(uint16_t call, const struct cw_span* span, MPI_Comm comm) {
  cw_record_comm_made(call, span, comm, CW_COMM_NULL);
}

/* By the members of the new one alone. */
static inline void cw_record_comm_made_by_group(uint16_t call, const struct cw_span* span, MPI_Comm comm,
                                                int tag, MPI_Comm made) {
  cw_emit_call(call, span);
  cw_comm_made_by_members(comm, tag, made);
}

/* Likewise, from groups alone. */
static inline void cw_record_comm_made_from_groups(uint16_t call, const struct cw_span* span,
                                                   struct cw_text tag, MPI_Comm made) {
  cw_emit_call(call, span);
  cw_comm_made_from_groups(tag, made);
}

/* Before a call that connects with processes outside MPI_COMM_WORLD. */
static inline void cw_record_connecting(struct cw_span* span) {
  (void)span;
  cw_outside_begin();
}

/* The inter-communicator that the call made with them. */
static inline void cw_record_comm_spawns(uint16_t call, const struct cw_span* span, int root, MPI_Comm comm,
                                         MPI_Comm made) {
  cw_emit_call(call, span);
  cw_comm_connected(CW_CONNECTION_SPAWNS, root, comm, made);
}

static inline void cw_record_comm_accepts(uint16_t call, const struct cw_span* span, int root, MPI_Comm comm,
                                          MPI_Comm made) {
  cw_emit_call(call, span);
  cw_comm_connected(CW_CONNECTION_ACCEPTS, root, comm, made);
}

static inline void cw_record_comm_connects(uint16_t call, const struct cw_span* span, int root, MPI_Comm comm,
                                           MPI_Comm made) {
  cw_emit_call(call, span);
  cw_comm_connected(CW_CONNECTION_CONNECTS, root, comm, made);
}

/* MPI_Comm_set_name. */
static inline void cw_record_comm_named(uint16_t call, const struct cw_span* span, MPI_Comm comm) {
  cw_emit_call(call, span);
  cw_comm_named(comm);
}

/* By both sides of a new inter-communicator. */
static inline void cw_record_comms_joined(uint16_t call, const struct cw_span* span, int tag, MPI_Comm made) {
  cw_record_comm_made_by_group(call, span, CW_COMM_NULL, tag, made);
}

#endif
