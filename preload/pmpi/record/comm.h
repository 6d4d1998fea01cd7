/* Recorders of calls that create communicators. */
#ifndef COREWISE_PMPI_RECORD_COMM_H
#define COREWISE_PMPI_RECORD_COMM_H

#include <stdint.h>

#include "calls/gate.h"
#include "calls/mpi_symbols.h"
#include "comms/groups.h"
#include "comms/outside.h"
#include "emit.h"

/* All members of `comm` take part. */
static inline void cw_record_comm_made(uint16_t call, const struct cw_span* span, MPI_Comm comm,
                                       MPI_Comm made) {
  cw_emit_call(call, span);
  cw_comm_made(comm, made);
}

/* The duplicate exists only when the request completes, so its id is that of its members. It counts as a
 * communicator that the parent created. */
static inline void cw_record_comm_idup(uint16_t call, const struct cw_span* span, MPI_Comm comm) {
  cw_record_comm_made(call, span, comm, CW_COMM_NULL);
}

/* Only the members of the new communicator take part. */
static inline void cw_record_comm_made_by_group(uint16_t call, const struct cw_span* span, MPI_Comm comm,
                                                int tag, MPI_Comm made) {
  cw_emit_call(call, span);
  cw_comm_made_by_members(comm, tag, made);
}

/* The same, without a parent. */
static inline void cw_record_comm_made_from_groups(uint16_t call, const struct cw_span* span,
                                                   struct cw_text tag, MPI_Comm made) {
  cw_emit_call(call, span);
  cw_comm_made_from_groups(tag, made);
}

/* Before a call that connects to processes outside MPI_COMM_WORLD. */
static inline void cw_record_connecting(struct cw_span* span) {
  (void)span;
  cw_outside_begin();
}

/* After it; `made` is the new inter-communicator. */
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

static inline void cw_record_comm_named(uint16_t call, const struct cw_span* span, MPI_Comm comm) {
  cw_emit_call(call, span);
  cw_comm_named(comm);
}

/* Both sides of a new inter-communicator take part. */
static inline void cw_record_comms_joined(uint16_t call, const struct cw_span* span, int tag, MPI_Comm made) {
  cw_record_comm_made_by_group(call, span, CW_COMM_NULL, tag, made);
}

#endif
