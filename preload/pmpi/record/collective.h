/* Recorders of collective calls, one for each kind. */
#ifndef COREWISE_PMPI_RECORD_COLLECTIVE_H
#define COREWISE_PMPI_RECORD_COLLECTIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "calls/arguments.h"
#include "calls/gate.h"
#include "calls/mpi_symbols.h"

/* One event for the whole group, with the bytes of one member. Readers expand it (FORMATS.md). */
void cw_record_rooted(uint16_t call, const struct cw_span* span, MPI_Count count, MPI_Datatype type, int root,
                      MPI_Comm comm);
void cw_record_gather(uint16_t call, const struct cw_span* span, MPI_Count count, MPI_Datatype type, int root,
                      MPI_Comm comm);
void cw_record_scatter(uint16_t call, const struct cw_span* span, MPI_Count count, MPI_Datatype type,
                       int root, MPI_Comm comm);
void cw_record_unrooted(uint16_t call, const struct cw_span* span, MPI_Count count, MPI_Datatype type,
                        MPI_Comm comm);
void cw_record_allgatherv(uint16_t call, const struct cw_span* span, bool in_place, MPI_Count count,
                          MPI_Datatype type, struct cw_counts recvcounts, MPI_Datatype recvtype,
                          MPI_Comm comm);

/* One event for each pair of ranks. With MPI_IN_PLACE, sent and received sizes are equal (MPI 3.1, 5.8). */
void cw_record_scatterv(uint16_t call, const struct cw_span* span, struct cw_counts counts, MPI_Datatype type,
                        int root, MPI_Comm comm);
void cw_record_alltoallv(uint16_t call, const struct cw_span* span, bool in_place,
                         struct cw_counts sendcounts, MPI_Datatype sendtype, struct cw_counts recvcounts,
                         MPI_Datatype recvtype, MPI_Comm comm);
void cw_record_alltoallw(uint16_t call, const struct cw_span* span, bool in_place,
                         struct cw_counts sendcounts, struct cw_types sendtypes, struct cw_counts recvcounts,
                         struct cw_types recvtypes, MPI_Comm comm);
void cw_record_reduce_scatter(uint16_t call, const struct cw_span* span, struct cw_counts counts,
                              MPI_Datatype type, MPI_Comm comm);
void cw_record_neighbor(uint16_t call, const struct cw_span* span, MPI_Count count, MPI_Datatype type,
                        MPI_Comm comm);
void cw_record_neighborv(uint16_t call, const struct cw_span* span, struct cw_counts counts,
                         MPI_Datatype type, MPI_Comm comm);
void cw_record_neighborw(uint16_t call, const struct cw_span* span, struct cw_counts counts,
                         struct cw_types types, MPI_Comm comm);

#endif
