/* Communicators and windows as lists of world ranks, each resolved once. */
#ifndef COREWISE_PMPI_GROUPS_H
#define COREWISE_PMPI_GROUPS_H

#include <corewise_formats/profile.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../counters/thread.h"
#include "arguments.h"
#include "members.h"
#include "mpi_symbols.h"
#include "observer.h"

/* The processes that ranks of a communicator or window mean: its group, or the remote group of an
 * inter-communicator. */
struct cw_group {
  uint32_t n;
  bool inter;
  bool has_foreign;        /* some members are outside MPI_COMM_WORLD: spawned processes and their parents */
  bool is_early;           /* it is listed where its origin is known: see cw_comm_place() */
  _Atomic bool resolved;   /* all below is there; before, only where a communicator comes from */
  _Atomic bool dispatched; /* it was handed to the observers */
  int32_t own_rank;        /* of this process in the communicator, in its own group */
  uint64_t order;  /* how many communicators the parent had made before; with a tag in the upper half, its own
                      members had made with this tag */
  uint32_t n_made; /* and how many this one has made itself */
  uint32_t place;  /* in the line of its parents: see cw_comm_place() */
  uint64_t row_id; /* what rows of the profile name it by */
  struct cw_members* members;
  struct cw_members* own_side; /* the local group: `members`, but of an inter-communicator */
  const int32_t* world;        /* of `members`: [rank] -> world rank; -1: outside MPI_COMM_WORLD */
  int32_t* outside;            /* likewise their numbers there (outside.h); NULL: none is outside */
  const int32_t* neighbors; /* peers that neighbour collectives send to, in order; NULL: not resolved yet */
  uint32_t n_neighbors;
  struct cw_communicator seen; /* by observers; not of a window */
};

/* While MPI is started, with MPI_COMM_WORLD or without (this_rank.h). False: the ranks of the job could not
 * be resolved. */
bool cw_groups_start(void);
void cw_groups_finish(void);

extern struct cw_group cw_world_members; /* n and own_rank alone */
/* Started by MPI_Comm_spawn: its MPI_COMM_WORLD is another one than the job's. */
bool cw_is_spawned(void);

/* Grows when a communicator is freed: what threads remember of one may be of another with its handle by then.
 */
extern _Atomic uint32_t cw_groups_generation;

static inline uint64_t cw_comm_number(MPI_Comm comm) { return (uint64_t)(uintptr_t)comm; }

#ifdef OPEN_MPI
extern MPI_Comm cw_comm_world; /* no communicator before MPI_Init */
#else
#define cw_comm_world MPI_COMM_WORLD
#endif

/* Looks the group up, or resolves it; NULL if that can't be done (a fault is counted). It lives as long as
 * the communicator. Safe in all threads. */
const struct cw_group* cw_find_group(MPI_Comm comm);

static inline __attribute__((always_inline)) const struct cw_group* cw_group_of_comm(MPI_Comm comm) {
  if (cw_thread.comm == cw_comm_number(comm) && cw_thread.group != NULL &&
      cw_thread.generation == atomic_load_explicit(&cw_groups_generation, memory_order_relaxed))
    return cw_thread.group;
  return cw_find_group(comm);
}

/* What rows of the profile call a member as a peer: its world rank; outside MPI_COMM_WORLD -2 - its number
 * there, or -1 if that is not known. */
static inline int32_t cw_peer_of_member(const struct cw_group* group, uint32_t rank) {
  if (group->world[rank] >= 0 || group->outside == NULL || group->outside[rank] < 0)
    return group->world[rank];
  return -2 - group->outside[rank];
}

/* The other end of a message. */
struct cw_peer {
  int32_t rank;  /* as cw_peer_of_member() has it, or CW_NO_MEMBER */
  uint64_t comm; /* what rows name its communicator by; 0: none */
};

/* No rank of the group, or of no group: MPI refused the call, and a handler made it a success
 * (CW_COMM_UNSET). A group that could not be resolved has been counted as such. */
enum { CW_NO_MEMBER = INT32_MIN };

static inline bool cw_is_member(const struct cw_group* group, int rank) {
  return group != NULL && rank >= 0 && (uint32_t)rank < group->n;
}

static inline struct cw_peer cw_peer_in_group(const struct cw_group* group, int rank) {
  if (!cw_is_member(group, rank)) return (struct cw_peer){CW_NO_MEMBER, 0};
  return (struct cw_peer){cw_peer_of_member(group, (uint32_t)rank), group->row_id};
}

/* As cw_group_of_comm(). At the first collective of a communicator its rank 0 hands it to the observers,
 * unless some members are foreign. */
const struct cw_group* cw_group_of_collective(MPI_Comm comm);

/* What stands for a communicator where a call has not written one: where a handler of the program has turned
 * an error into success, as MPICH 5 does by itself once the handler has returned. Then what is left there is
 * no handle, and MPI would call the handler again if it were asked about it. No MPI has this handle: Open
 * MPI's are aligned addresses, those of MPICH have one of the upper two bits, those of the standard ABI are
 * even or small. */
#define CW_COMM_UNSET ((MPI_Comm)(intptr_t)0x3fffffff)

static inline bool cw_comm_is_unset(MPI_Comm comm) { return comm == CW_COMM_UNSET; }

/* Before the call; returns what was there. */
static inline MPI_Comm cw_comm_unset(MPI_Comm* made) {
  if (made == NULL) return CW_COMM_UNSET;
  const MPI_Comm before = *made;
  *made = CW_COMM_UNSET;
  return before;
}

/* What the call left there. */
static inline MPI_Comm cw_comm_at(const MPI_Comm* made) { return made == NULL ? CW_COMM_UNSET : *made; }

/* After it: the program finds what it would have found. */
static inline void cw_comm_restore(MPI_Comm* made, MPI_Comm before) {
  if (made != NULL && cw_comm_is_unset(*made)) *made = before;
}

/* After `parent` made another communicator together with all its members, in each of them; `made` is
 * MPI_COMM_NULL where it did not become a member. Here and below: nothing if it is unset. */
void cw_comm_made(MPI_Comm parent, MPI_Comm made);

/* Likewise of an inter-communicator with processes outside MPI_COMM_WORLD; `root` is the one of `parent` that
 * spawned, accepted or connected. */
void cw_comm_connected(enum cw_profile_connection_kind kind, int root, MPI_Comm parent, MPI_Comm made);

/* In a spawned process, after MPI_Init: likewise of the one with those that spawned it. */
void cw_comm_connected_with_parents(void);

/* As cw_comm_made(), of one that only its own members made; `parent` may be MPI_COMM_NULL. */
void cw_comm_made_by_members(MPI_Comm parent, int tag, MPI_Comm made);

/* Likewise, from groups alone; their tag is a text. */
void cw_comm_made_from_groups(struct cw_text tag, MPI_Comm made);

/* After the program gave `comm` a name: rank 0 tells the observers. */
void cw_comm_named(MPI_Comm comm);

/* Hands MPI_COMM_WORLD to the observers, which are started. */
void cw_groups_hand_over_world(void);

/* Of a window, likewise. */
const struct cw_group* cw_group_of_win(MPI_Win win);

/* The group with `neighbors` resolved, or NULL. */
const struct cw_group* cw_neighbors_of_comm(MPI_Comm comm);

#endif
