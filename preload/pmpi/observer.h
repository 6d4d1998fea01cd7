/* What an observer of the wrapper layer sees: calls as events, without any type of MPI. */
#ifndef COREWISE_PMPI_OBSERVER_H
#define COREWISE_PMPI_OBSERVER_H

#include <stdbool.h>
#include <stdint.h>

/* One call, or one transfer of it. `flags` are those of a profile's row (enum cw_profile_row_flag). */
struct cw_event {
  uint16_t call; /* index into cw_calls */
  uint8_t flags;
  int32_t peer;   /* world rank; for collectives the root (rank in the group) or -1; else -1 */
  uint64_t group; /* collectives: id of the group */
  uint64_t bytes;
  uint64_t begin; /* ticks; equal to `end` for a transfer */
  uint64_t end;
};

/* Every function may be NULL; none may block or end the process. The thread that calls MPI_Init and
 * MPI_Finalize calls `prepare`, `start` and `finish`; any threads, at the same time too, call the others. */
struct cw_observer {
  const char* name;                            /* as COREWISE_OBSERVE lists it */
  void (*prepare)(void);                       /* at the begin of MPI_Init, before the store is open */
  void (*start)(void);                         /* at the end of MPI_Init, with the store open */
  void (*event)(const struct cw_event* event); /* after each call, by the thread that made it */
  /* At the first collective of a communicator, in its rank 0: the world ranks of its members, in order. Again
   * where two threads make it at the same time. */
  void (*group)(uint64_t id, const int32_t* members, uint32_t n_members);
  void (*region)(int32_t level); /* at MPI_Pcontrol, by the thread that made it */
  void (*finish)(void);          /* at the begin of MPI_Finalize */
};

#endif
