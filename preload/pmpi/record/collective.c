/* Collective calls as events. One event for the whole group suffices if one size describes the call. If
 * counts differ, or the communicator has a topology or joins two groups, each pair of ranks gets an event.
 * Messages of a rank to itself are not counted. */
#include "collective.h"

#include <corewise_formats/profile.h>

#include "calls/types.h"
#include "calls_table.h"
#include "comms/groups.h"
#include "emit.h"

static uint64_t bytes_at(struct cw_counts counts, uint32_t i, MPI_Datatype type) {
  return cw_bytes(cw_count_at(counts, i), type);
}

/* Counts bytes sent to member i of the group, unless that is this process. */
static void emit_to(uint16_t call, const struct cw_span* span, const struct cw_group* group, uint32_t i,
                    uint64_t bytes) {
  if (!group->inter && (int32_t)i == group->own_rank) return;
  const int32_t peer = cw_peer_of_member(group, i);
  if (peer == -1) cw_store_fault(CW_FAULT_FOREIGN_PEER);
  cw_emit_transfer(call, span, CW_ROW_TO_PEER, peer, bytes);
}

static void emit_to_all(uint16_t call, const struct cw_span* span, const struct cw_group* group,
                        uint64_t bytes) {
  for (uint32_t i = 0; i < group->n; ++i) emit_to(call, span, group, i, bytes);
}

/* Counts what this process sends according to the call's flow (enum cw_profile_flow), pair by pair. */
static void emit_flow(uint16_t call, const struct cw_span* span, const struct cw_group* group, int root,
                      uint64_t bytes) {
  const uint32_t own = (uint32_t)group->own_rank;
  const uint8_t flow = cw_calls[call].flow;
  const bool leads = (flow == CW_FLOW_FROM_ROOT && group->own_rank == root) ||
                     (flow == CW_FLOW_THROUGH_FIRST && own == 0) || flow == CW_FLOW_ALL_PAIRS;
  if (leads) emit_to_all(call, span, group, bytes);
  if (flow == CW_FLOW_TO_ROOT) emit_to(call, span, group, (uint32_t)root, bytes);
  if (flow == CW_FLOW_THROUGH_FIRST && own != 0) emit_to(call, span, group, 0, bytes);
  if (flow == CW_FLOW_CHAIN && own + 1 < group->n) emit_to(call, span, group, own + 1, bytes);
}

/* A group with members outside MPI_COMM_WORLD has no list of world ranks, so its pairs are counted. */
static void emit_for_group(uint16_t call, const struct cw_span* span, const struct cw_group* group, int root,
                           uint64_t bytes) {
  if (group->has_foreign) {
    cw_emit_call(call, span);
    emit_flow(call, span, group, root, bytes);
    return;
  }
  const struct cw_event event = {.call = call,
                                 .flags = CW_ROW_CALL | CW_ROW_COLLECTIVE,
                                 .peer = root,
                                 .group = group->row_id,
                                 .bytes = bytes,
                                 .begin = span->begin,
                                 .end = span->end};
  cw_emit(span, &event);
}

/* On an inter-communicator, the root passes MPI_ROOT and exchanges with the whole remote group. The other
 * members of its group pass MPI_PROC_NULL. The remote group passes the root's rank (MPI 3.1, 5.2.3). */
static void emit_rooted(uint16_t call, const struct cw_span* span, uint64_t bytes, int root,
                        const struct cw_group* group) {
  const bool names_member = cw_is_member(group, root);
  if (names_member && !group->inter) {
    emit_for_group(call, span, group, root, bytes);
    return;
  }
  cw_emit_call(call, span);
  if (group == NULL || !group->inter) return; /* invalid root, or the group could not be resolved */
  if (root == MPI_ROOT && cw_calls[call].flow == CW_FLOW_FROM_ROOT) {
    emit_to_all(call, span, group, bytes);
  } else if (names_member && cw_calls[call].flow == CW_FLOW_TO_ROOT) {
    emit_to(call, span, group, (uint32_t)root, bytes);
  }
}

static bool is_root(const struct cw_group* group, int root) {
  return group != NULL && (group->inter ? root == MPI_ROOT : root == group->own_rank);
}

void cw_record_rooted(uint16_t call, const struct cw_span* span, MPI_Count count, MPI_Datatype type, int root,
                      MPI_Comm comm) {
  const bool idle = root == MPI_PROC_NULL; /* MPI then ignores count and type */
  emit_rooted(call, span, idle ? 0 : cw_bytes(count, type), root, cw_group_of_collective(comm));
}

void cw_record_gather(uint16_t call, const struct cw_span* span, MPI_Count count, MPI_Datatype type, int root,
                      MPI_Comm comm) {
  const struct cw_group* group = cw_group_of_collective(comm);
  const bool sends = root != MPI_PROC_NULL && !is_root(group, root);
  emit_rooted(call, span, sends ? cw_bytes(count, type) : 0, root, group);
}

void cw_record_scatter(uint16_t call, const struct cw_span* span, MPI_Count count, MPI_Datatype type,
                       int root, MPI_Comm comm) {
  const struct cw_group* group = cw_group_of_collective(comm);
  emit_rooted(call, span, is_root(group, root) ? cw_bytes(count, type) : 0, root, group);
}

static void emit_unrooted(uint16_t call, const struct cw_span* span, uint64_t bytes,
                          const struct cw_group* group) {
  if (group != NULL && !group->inter) {
    emit_for_group(call, span, group, -1, bytes);
    return;
  }
  cw_emit_call(call, span);
  if (group != NULL) emit_to_all(call, span, group, bytes);
}

void cw_record_unrooted(uint16_t call, const struct cw_span* span, MPI_Count count, MPI_Datatype type,
                        MPI_Comm comm) {
  emit_unrooted(call, span, cw_bytes(count, type), cw_group_of_collective(comm));
}

void cw_record_allgatherv(uint16_t call, const struct cw_span* span, bool in_place, MPI_Count count,
                          MPI_Datatype type, struct cw_counts recvcounts, MPI_Datatype recvtype,
                          MPI_Comm comm) {
  const struct cw_group* group = cw_group_of_collective(comm);
  const bool own = in_place && group != NULL;
  emit_unrooted(call, span,
                own ? bytes_at(recvcounts, (uint32_t)group->own_rank, recvtype) : cw_bytes(count, type),
                group);
}

void cw_record_scatterv(uint16_t call, const struct cw_span* span, struct cw_counts counts, MPI_Datatype type,
                        int root, MPI_Comm comm) {
  const struct cw_group* group = cw_group_of_collective(comm);
  cw_emit_call(call, span);
  for (uint32_t i = 0; is_root(group, root) && i < group->n; ++i)
    emit_to(call, span, group, i, bytes_at(counts, i, type));
}

void cw_record_alltoallv(uint16_t call, const struct cw_span* span, bool in_place,
                         struct cw_counts sendcounts, MPI_Datatype sendtype, struct cw_counts recvcounts,
                         MPI_Datatype recvtype, MPI_Comm comm) {
  const struct cw_counts counts = in_place ? recvcounts : sendcounts;
  const MPI_Datatype type = in_place ? recvtype : sendtype;
  const struct cw_group* group = cw_group_of_collective(comm);
  cw_emit_call(call, span);
  for (uint32_t i = 0; group != NULL && i < group->n; ++i) {
    const uint64_t bytes = bytes_at(counts, i, type);
    if (bytes > 0) emit_to(call, span, group, i, bytes);
  }
}

void cw_record_alltoallw(uint16_t call, const struct cw_span* span, bool in_place,
                         struct cw_counts sendcounts, struct cw_types sendtypes, struct cw_counts recvcounts,
                         struct cw_types recvtypes, MPI_Comm comm) {
  const struct cw_counts counts = in_place ? recvcounts : sendcounts;
  const struct cw_types types = in_place ? recvtypes : sendtypes;
  const struct cw_group* group = cw_group_of_collective(comm);
  cw_emit_call(call, span);
  for (uint32_t i = 0; group != NULL && i < group->n; ++i) {
    const uint64_t bytes = bytes_at(counts, i, cw_type_at(types, i));
    if (bytes > 0) emit_to(call, span, group, i, bytes);
  }
}

/* An inter-communicator reduces the vectors of the remote group for the local group. counts[] then does not
 * say how much a remote rank gets, so only the time is counted. */
void cw_record_reduce_scatter(uint16_t call, const struct cw_span* span, struct cw_counts counts,
                              MPI_Datatype type, MPI_Comm comm) {
  const struct cw_group* group = cw_group_of_collective(comm);
  cw_emit_call(call, span);
  for (uint32_t i = 0; group != NULL && !group->inter && i < group->n; ++i) {
    const uint64_t bytes = bytes_at(counts, i, type);
    if (bytes > 0) emit_to(call, span, group, i, bytes);
  }
}

void cw_record_neighbor(uint16_t call, const struct cw_span* span, MPI_Count count, MPI_Datatype type,
                        MPI_Comm comm) {
  const struct cw_group* group = cw_neighbors_of_comm(comm);
  const uint64_t bytes = cw_bytes(count, type);
  cw_emit_call(call, span);
  for (uint32_t i = 0; group != NULL && i < group->n_neighbors; ++i) {
    cw_emit_transfer(call, span, CW_ROW_TO_PEER, group->neighbors[i], bytes);
  }
}

void cw_record_neighborv(uint16_t call, const struct cw_span* span, struct cw_counts counts,
                         MPI_Datatype type, MPI_Comm comm) {
  const struct cw_group* group = cw_neighbors_of_comm(comm);
  cw_emit_call(call, span);
  for (uint32_t i = 0; group != NULL && i < group->n_neighbors; ++i) {
    const uint64_t bytes = bytes_at(counts, i, type);
    if (bytes > 0) cw_emit_transfer(call, span, CW_ROW_TO_PEER, group->neighbors[i], bytes);
  }
}

void cw_record_neighborw(uint16_t call, const struct cw_span* span, struct cw_counts counts,
                         struct cw_types types, MPI_Comm comm) {
  const struct cw_group* group = cw_neighbors_of_comm(comm);
  cw_emit_call(call, span);
  for (uint32_t i = 0; group != NULL && i < group->n_neighbors; ++i) {
    const uint64_t bytes = bytes_at(counts, i, cw_type_at(types, i));
    if (bytes > 0) cw_emit_transfer(call, span, CW_ROW_TO_PEER, group->neighbors[i], bytes);
  }
}
