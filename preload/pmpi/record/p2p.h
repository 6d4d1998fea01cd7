/* Recorders of point-to-point calls. */
#ifndef COREWISE_PMPI_RECORD_P2P_H
#define COREWISE_PMPI_RECORD_P2P_H

#include <corewise_formats/profile.h>
#include <stdint.h>

#include "calls/gate.h"
#include "calls/mpi_symbols.h"
#include "calls/types.h"
#include "comms/comm_identity.h"
#include "comms/groups.h"
#include "emit.h"

/* The process with this rank in `comm`; for an inter-communicator, in its remote group. */
static inline __attribute__((always_inline)) struct cw_peer cw_peer_in(MPI_Comm comm, int rank) {
  if (comm == cw_comm_world && (uint32_t)rank < cw_world_members.n)
    return (struct cw_peer){rank, CW_COMM_WORLD_ID};
  return cw_peer_in_group(cw_group_of_comm(comm), rank);
}

/* A message of `count` elements. Only the sender counts messages. */
static inline __attribute__((always_inline)) void cw_record_send(uint16_t call, const struct cw_span* span,
                                                                 MPI_Count count, MPI_Datatype type, int dest,
                                                                 MPI_Comm comm) {
  if (dest == MPI_PROC_NULL) {
    cw_emit_call(call, span);
    return;
  }
  cw_emit_message(call, span, CW_ROW_TO_PEER, cw_peer_in(comm, dest), cw_bytes(count, type));
}

/* A message of `partitions` parts with `count` elements each. */
static inline void cw_record_psend(uint16_t call, const struct cw_span* span, int partitions, MPI_Count count,
                                   MPI_Datatype type, int dest, MPI_Comm comm) {
  cw_record_send(call, span, partitions * count, type, dest, comm);
}

#endif
