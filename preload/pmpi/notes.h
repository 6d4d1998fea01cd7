/* What a successful call counts: the functions that calls.toml names. They run after the call, on its
 * arguments. */
#ifndef COREWISE_PMPI_NOTES_H
#define COREWISE_PMPI_NOTES_H

#include <stdbool.h>
#include <stdint.h>

#include "layer.h"
#include "mpi_symbols.h"

/* Arrays as C, large-count C and Fortran pass them. */
struct cw_counts {
  const void* values;
  bool wide; /* MPI_Count, else int */
};
struct cw_types {
  const void* values;
  bool fortran; /* MPI_Fint, else MPI_Datatype */
};
struct cw_requests {
  const void* values;
  bool fortran;
};

/* Is this Fortran argument MPI_IN_PLACE? */
bool cw_fortran_in_place(const void* buffer);

/* A persistent operation: between the two, notes go to the request. The second also counts the making itself.
 */
void cw_note_keep(struct cw_span* span);
void cw_note_kept(uint16_t call, struct cw_span* span, MPI_Request request);

void cw_note_nothing(uint16_t call, const struct cw_span* span);
void cw_note_time(uint16_t call, const struct cw_span* span);

void cw_note_send(uint16_t call, const struct cw_span* span, MPI_Count count, MPI_Datatype type, int dest,
                  MPI_Comm comm);
void cw_note_start(uint16_t call, const struct cw_span* span, MPI_Request request);
void cw_note_startall(uint16_t call, const struct cw_span* span, int n, struct cw_requests requests);
void cw_note_request_free(MPI_Request request);

/* Collectives counted whole: `bytes` is what one member sends to one other; see FORMATS.md. */
void cw_note_rooted(uint16_t call, const struct cw_span* span, MPI_Count count, MPI_Datatype type, int root,
                    MPI_Comm comm);
void cw_note_gather(uint16_t call, const struct cw_span* span, MPI_Count count, MPI_Datatype type, int root,
                    MPI_Comm comm);
void cw_note_scatter(uint16_t call, const struct cw_span* span, MPI_Count count, MPI_Datatype type, int root,
                     MPI_Comm comm);
void cw_note_all(uint16_t call, const struct cw_span* span, MPI_Count count, MPI_Datatype type,
                 MPI_Comm comm);
void cw_note_allgatherv(uint16_t call, const struct cw_span* span, bool in_place, MPI_Count count,
                        MPI_Datatype type, struct cw_counts recvcounts, MPI_Datatype recvtype, MPI_Comm comm);

/* Collectives counted pair by pair. Sending in place sends what is received (MPI 3.1, 5.8). */
void cw_note_scatterv(uint16_t call, const struct cw_span* span, struct cw_counts counts, MPI_Datatype type,
                      int root, MPI_Comm comm);
void cw_note_alltoallv(uint16_t call, const struct cw_span* span, bool in_place, struct cw_counts sendcounts,
                       MPI_Datatype sendtype, struct cw_counts recvcounts, MPI_Datatype recvtype,
                       MPI_Comm comm);
void cw_note_alltoallw(uint16_t call, const struct cw_span* span, bool in_place, struct cw_counts sendcounts,
                       struct cw_types sendtypes, struct cw_counts recvcounts, struct cw_types recvtypes,
                       MPI_Comm comm);
void cw_note_reduce_scatter(uint16_t call, const struct cw_span* span, struct cw_counts counts,
                            MPI_Datatype type, MPI_Comm comm);
void cw_note_neighbor(uint16_t call, const struct cw_span* span, MPI_Count count, MPI_Datatype type,
                      MPI_Comm comm);
void cw_note_neighborv(uint16_t call, const struct cw_span* span, struct cw_counts counts, MPI_Datatype type,
                       MPI_Comm comm);
void cw_note_neighborw(uint16_t call, const struct cw_span* span, struct cw_counts counts,
                       struct cw_types types, MPI_Comm comm);

/* One-sided; a swap goes both ways. */
void cw_note_put(uint16_t call, const struct cw_span* span, MPI_Count count, MPI_Datatype type, int target,
                 MPI_Win win);
void cw_note_get(uint16_t call, const struct cw_span* span, MPI_Count count, MPI_Datatype type, int target,
                 MPI_Win win);
void cw_note_swap(uint16_t call, const struct cw_span* span, MPI_Count count, MPI_Datatype type, int target,
                  MPI_Win win);

#endif
