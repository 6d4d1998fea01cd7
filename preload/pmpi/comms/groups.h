/* Communicators and windows as lists of world ranks. Each is resolved once. */
#ifndef COREWISE_PMPI_GROUPS_H
#define COREWISE_PMPI_GROUPS_H

#include <corewise_formats/profile.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../counters/thread.h"
#include "calls/arguments.h"
#include "calls/mpi_symbols.h"
#include "members.h"
#include "observer.h"

/* The processes that the ranks of a communicator or window refer to. For an inter-communicator, that is the
 * remote group. */
struct cw_group {
  uint32_t n;
  bool inter;
  bool has_foreign;        /* some members are outside MPI_COMM_WORLD: spawned processes or their parents */
  bool is_early;           /* listed in the profile if its origin is known: see CW_LISTED_COMMS */
  _Atomic bool resolved;   /* all fields are valid; before, only those about the origin */
  _Atomic bool dispatched; /* observers know it */
  int32_t own_rank;        /* of this process in the communicator's local group */
  uint64_t order;  /* number of communicators that the parent created before. If only the members created it:
                      tag + 1 in the upper half, number of earlier ones with this tag in the lower half */
  uint32_t n_made; /* number of communicators created from this one */
  uint32_t place;  /* see cw_comm_place() */
  uint64_t row_id; /* id of the communicator in rows of the profile */
  struct cw_members* members;
  struct cw_members* own_side; /* the local group; equal to `members` except in an inter-communicator */
  const int32_t* world;        /* [rank] -> world rank; -1: outside MPI_COMM_WORLD */
  int32_t* outside;         /* [rank] -> number outside MPI_COMM_WORLD (outside.h); NULL: none is outside */
  const int32_t* neighbors; /* destinations of neighbour collectives, in order; NULL: not resolved yet */
  uint32_t n_neighbors;
  struct cw_communicator seen; /* what observers get; unused for a window */
};

/* At the start of MPI, with or without MPI_COMM_WORLD (this_rank.h). False: the ranks of the job could not be
 * resolved. */
bool cw_groups_start(void);
void cw_groups_finish(void);

extern struct cw_group cw_world_members; /* only n and own_rank are set */
/* Was this process started by MPI_Comm_spawn? Its MPI_COMM_WORLD is then not that of the job. */
bool cw_is_spawned(void);

/* Incremented when a communicator is freed. A cached handle with an older generation may belong to a new
 * communicator. */
extern _Atomic uint32_t cw_groups_generation;

static inline uint64_t cw_comm_number(MPI_Comm comm) { return (uint64_t)(uintptr_t)comm; }

#ifdef OPEN_MPI
extern MPI_Comm cw_comm_world; /* set by MPI_Init: before, no communicator may be used */
#else
#define cw_comm_world MPI_COMM_WORLD
#endif

/* Looks the group up, or resolves it. NULL if that fails; the fault is counted. Valid until the communicator
 * is freed. Safe in all threads. */
const struct cw_group* cw_find_group(MPI_Comm comm);

static inline __attribute__((always_inline)) const struct cw_group* cw_group_of_comm(MPI_Comm comm) {
  if (cw_thread.comm == cw_comm_number(comm) && cw_thread.group != NULL &&
      cw_thread.generation == atomic_load_explicit(&cw_groups_generation, memory_order_relaxed))
    return cw_thread.group;
  return cw_find_group(comm);
}

/* A member as peer in rows of the profile: its world rank; outside MPI_COMM_WORLD, -2 - its number there, or
 * -1 if the number is unknown. */
static inline int32_t cw_peer_of_member(const struct cw_group* group, uint32_t rank) {
  if (group->world[rank] >= 0 || group->outside == NULL || group->outside[rank] < 0)
    return group->world[rank];
  return -2 - group->outside[rank];
}

/* The other end of a message. */
struct cw_peer {
  int32_t rank;  /* result of cw_peer_of_member(), or CW_NO_MEMBER */
  uint64_t comm; /* row_id of its communicator; 0: none */
};

/* Not a rank of the group: MPI refused the call, and the program's error handler returned success. Also used
 * if there is no group (CW_COMM_UNSET), or if it could not be resolved, which was counted as a fault
 * before. */
enum { CW_NO_MEMBER = INT32_MIN };

static inline bool cw_is_member(const struct cw_group* group, int rank) {
  return group != NULL && rank >= 0 && (uint32_t)rank < group->n;
}

static inline struct cw_peer cw_peer_in_group(const struct cw_group* group, int rank) {
  if (!cw_is_member(group, rank)) return (struct cw_peer){CW_NO_MEMBER, 0};
  return (struct cw_peer){cw_peer_of_member(group, (uint32_t)rank), group->row_id};
}

/* Like cw_group_of_comm(). At the first collective of a communicator, rank 0 reports it to observers, unless
 * it has members outside MPI_COMM_WORLD. */
const struct cw_group* cw_group_of_collective(MPI_Comm comm);

/* The wrapper stores this handle where the call should write a communicator, to detect that it did not. That
 * happens if an error handler of the program returns success, or, in MPICH 5, if it returns at all. Asking
 * MPI about an invalid handle would call the error handler again. No MPI uses this value: handles of Open MPI
 * are aligned addresses, those of MPICH have one of the upper two bits set, those of the standard ABI are
 * even or small. */
#define CW_COMM_UNSET ((MPI_Comm)(intptr_t)0x3fffffff)

static inline bool cw_comm_is_unset(MPI_Comm comm) { return comm == CW_COMM_UNSET; }

/* Before the call: sets *made to CW_COMM_UNSET and returns the previous value. */
static inline MPI_Comm cw_comm_unset(MPI_Comm* made) {
  if (made == NULL) return CW_COMM_UNSET;
  const MPI_Comm before = *made;
  *made = CW_COMM_UNSET;
  return before;
}

/* After the call: the handle that MPI wrote, or CW_COMM_UNSET. */
static inline MPI_Comm cw_comm_at(const MPI_Comm* made) { return made == NULL ? CW_COMM_UNSET : *made; }

/* If the call wrote nothing, restores the value from before. */
static inline void cw_comm_restore(MPI_Comm* made, MPI_Comm before) {
  if (made != NULL && cw_comm_is_unset(*made)) *made = before;
}

/* Called on all members of `parent` after they created a communicator together; `made` is MPI_COMM_NULL on
 * those that are not its members. This and the following functions do nothing if `made` is unset. */
void cw_comm_made(MPI_Comm parent, MPI_Comm made);

/* The same for an inter-communicator with processes outside MPI_COMM_WORLD. `root` is the rank in `parent`
 * that spawned, accepted or connected. */
void cw_comm_connected(enum cw_profile_connection_kind kind, int root, MPI_Comm parent, MPI_Comm made);

/* After MPI_Init of a spawned process: the same for the inter-communicator with its parents. */
void cw_comm_connected_with_parents(void);

/* Like cw_comm_made(), but only the members of `made` took part. `parent` may be MPI_COMM_NULL. */
void cw_comm_made_by_members(MPI_Comm parent, int tag, MPI_Comm made);

/* The same for a communicator created from groups; its tag is a text. */
void cw_comm_made_from_groups(struct cw_text tag, MPI_Comm made);

/* The program named `comm`: its rank 0 reports that to observers. */
void cw_comm_named(MPI_Comm comm);

/* Reports MPI_COMM_WORLD to observers. */
void cw_groups_hand_over_world(void);

/* Like cw_group_of_comm(), for a window. */
const struct cw_group* cw_group_of_win(MPI_Win win);

/* The group with `neighbors` resolved; NULL: failed. */
const struct cw_group* cw_neighbors_of_comm(MPI_Comm comm);

#endif
