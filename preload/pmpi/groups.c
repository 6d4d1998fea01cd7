/* Groups are resolved at first use and kept as an attribute of the communicator or window, which MPI deletes
 * together with it. */
#include "groups.h"

#include <pthread.h>
#include <stdlib.h>

#include "../store/store.h"
#include "dispatch.h"

_Atomic uint32_t cw_groups_generation;
#ifdef OPEN_MPI
MPI_Comm cw_comm_world;
#endif
static MPI_Group world_group;
static int comm_key = MPI_KEYVAL_INVALID;
static int win_key = MPI_KEYVAL_INVALID;
static struct cw_group world_members;
static pthread_mutex_t lock =
    PTHREAD_MUTEX_INITIALIZER; /* held while a group is resolved, never during a look-up */

static void free_group(struct cw_group* group) {
  if (group == NULL) return;
  free((void*)group->world);
  free((void*)group->neighbors);
  free(group);
}

/* A duplicate gets a group of its own at first use. */
static int copy_nothing(MPI_Comm comm, int key, void* state, void* value, void* copy, int* flag) {
  (void)comm, (void)key, (void)state, (void)value, (void)copy;
  *flag = 0;
  return MPI_SUCCESS;
}
static int delete_of_comm(MPI_Comm comm, int key, void* value, void* state) {
  (void)comm, (void)key, (void)state;
  atomic_fetch_add(&cw_groups_generation, 1);
  free_group(value);
  return MPI_SUCCESS;
}
static int copy_nothing_of_win(MPI_Win win, int key, void* state, void* value, void* copy, int* flag) {
  (void)win;
  return copy_nothing(CW_COMM_WORLD, key, state, value, copy, flag);
}
static int delete_of_win(MPI_Win win, int key, void* value, void* state) {
  (void)win, (void)key, (void)state;
  free_group(value);
  return MPI_SUCCESS;
}

/* A hash of the ordered list: splitmix64's finalizer (Steele, Lea, Flood, OOPSLA 2014) after each member. */
static uint64_t hash(const int32_t* members, uint32_t n) {
  uint64_t h = n;
  for (uint32_t i = 0; i < n; ++i) {
    h += 0x9e3779b97f4a7c15u + (uint32_t)members[i];
    h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
    h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
    h ^= h >> 31;
  }
  return h;
}

/* World ranks of all members of `group`, in a new array; NULL when out of memory. */
static int32_t* translate(MPI_Group group, uint32_t n) {
  int* ranks = malloc((n + 1) * sizeof *ranks);
  int* found = malloc((n + 1) * sizeof *found);
  if (ranks != NULL && found != NULL) {
    for (uint32_t i = 0; i < n; ++i) ranks[i] = (int)i;
    if (PMPI_Group_translate_ranks(group, (int)n, ranks, world_group, found) == MPI_SUCCESS) {
      for (uint32_t i = 0; i < n; ++i) found[i] = found[i] == MPI_UNDEFINED ? -1 : found[i];
      free(ranks);
      return found;
    }
  }
  free(ranks);
  free(found);
  return NULL;
}

/* Takes `members` and frees it. */
static struct cw_group* new_group(MPI_Group members, bool inter, int own_rank) {
  int n = 0;
  struct cw_group* group = calloc(1, sizeof *group);
  if (group != NULL && PMPI_Group_size(members, &n) == MPI_SUCCESS) {
    group->n = (uint32_t)n;
    group->inter = inter;
    group->own_rank = own_rank;
    group->world = translate(members, group->n);
  }
  PMPI_Group_free(&members);
  if (group == NULL || group->world == NULL) {
    free_group(group);
    cw_store_fault(CW_FAULT_UNRESOLVED);
    return NULL;
  }
  for (uint32_t i = 0; i < group->n; ++i) group->has_foreign |= group->world[i] < 0;
  group->id = hash(group->world, group->n);
  return group;
}

static struct cw_group* resolve_comm(MPI_Comm comm) {
  int inter = 0;
  int own_rank = -1;
  MPI_Group members;
  PMPI_Comm_test_inter(comm, &inter);
  PMPI_Comm_rank(comm, &own_rank);
  const int failed = inter ? PMPI_Comm_remote_group(comm, &members) : PMPI_Comm_group(comm, &members);
  if (failed != MPI_SUCCESS) {
    cw_store_fault(CW_FAULT_UNRESOLVED);
    return NULL;
  }
  return new_group(members, inter != 0, own_rank);
}

static struct cw_group* find_comm(MPI_Comm comm) {
  void* found = NULL;
  int flag = 0;
  return PMPI_Comm_get_attr(comm, comm_key, &found, &flag) == MPI_SUCCESS && flag ? found : NULL;
}

static struct cw_group* find_or_resolve(MPI_Comm comm) {
  struct cw_group* group = find_comm(comm);
  if (group != NULL) return group;
  pthread_mutex_lock(&lock);
  group = find_comm(comm);
  if (group == NULL && (group = resolve_comm(comm)) != NULL &&
      PMPI_Comm_set_attr(comm, comm_key, group) != MPI_SUCCESS) {
    free_group(group);
    group = NULL;
  }
  pthread_mutex_unlock(&lock);
  return group;
}

/* The generation is read first: a communicator that is freed meanwhile is another one than this. */
const struct cw_group* cw_find_group(MPI_Comm comm) {
  const uint32_t generation = atomic_load(&cw_groups_generation);
  const struct cw_group* group = find_or_resolve(comm);
  cw_thread.comm = cw_comm_number(comm);
  cw_thread.group = group;
  cw_thread.generation = generation;
  return group;
}

const struct cw_group* cw_group_of_collective(MPI_Comm comm) {
  struct cw_group* group = (struct cw_group*)cw_group_of_comm(comm);
  /* All members know the same list, so one of them is enough. */
  if (group != NULL && !group->inter && !group->has_foreign && group->own_rank == 0 &&
      !atomic_load_explicit(&group->dispatched, memory_order_relaxed) &&
      !atomic_exchange(&group->dispatched, true))
    cw_dispatch_group(group->id, group->world, group->n);
  return group;
}

const struct cw_group* cw_group_of_win(MPI_Win win) {
  void* found = NULL;
  int flag = 0;
  if (PMPI_Win_get_attr(win, win_key, &found, &flag) == MPI_SUCCESS && flag) return found;
  pthread_mutex_lock(&lock);
  struct cw_group* group = NULL;
  MPI_Group members;
  if (PMPI_Win_get_attr(win, win_key, &found, &flag) == MPI_SUCCESS && flag) {
    group = found;
  } else if (PMPI_Win_get_group(win, &members) == MPI_SUCCESS &&
             (group = new_group(members, false, -1)) != NULL &&
             PMPI_Win_set_attr(win, win_key, group) != MPI_SUCCESS) {
    free_group(group);
    group = NULL;
  }
  pthread_mutex_unlock(&lock);
  return group;
}

/* Ranks in `comm` that this process sends to, MPI_PROC_NULL included, in the order of neighbour collectives
 * (MPI 3.1, 7.6: for a Cartesian grid dimension by dimension, the negative direction first). NULL when out of
 * memory or without topology. */
static int* out_neighbors(MPI_Comm comm, int own_rank, uint32_t* n_found) {
  int topology = MPI_UNDEFINED;
  int n = 0;
  int n_in = 0;
  int weighted = 0;
  PMPI_Topo_test(comm, &topology);
  if (topology == MPI_CART) {
    PMPI_Cartdim_get(comm, &n);
    n *= 2;
  } else if (topology == MPI_GRAPH) {
    PMPI_Graph_neighbors_count(comm, own_rank, &n);
  } else if (topology == MPI_DIST_GRAPH) {
    PMPI_Dist_graph_neighbors_count(comm, &n_in, &n, &weighted);
  } else {
    return NULL;
  }
  const size_t n_all = (size_t)n + (size_t)n_in + 1;
  int* out = malloc(n_all * sizeof *out);
  int* rest = malloc(3 * n_all * sizeof *rest); /* what else MPI writes: sources and both lists of weights */
  if (out == NULL || rest == NULL) {
    free(out);
    out = NULL;
  } else if (topology == MPI_CART) {
    for (int i = 0; i < n / 2; ++i) PMPI_Cart_shift(comm, i, 1, &out[2 * i], &out[2 * i + 1]);
  } else if (topology == MPI_GRAPH) {
    PMPI_Graph_neighbors(comm, own_rank, n, out);
  } else {
    PMPI_Dist_graph_neighbors(comm, n_in, rest, rest + n_all, n, out, rest + 2 * n_all);
  }
  free(rest);
  *n_found = (uint32_t)n;
  return out;
}

const struct cw_group* cw_neighbors_of_comm(MPI_Comm comm) {
  struct cw_group* group = (struct cw_group*)cw_group_of_comm(comm);
  if (group == NULL || group->inter) return NULL;
  pthread_mutex_lock(&lock);
  if (group->neighbors == NULL) {
    uint32_t n = 0;
    int* ranks = out_neighbors(comm, group->own_rank, &n);
    for (uint32_t i = 0; ranks != NULL && i < n; ++i)
      ranks[i] = ranks[i] == MPI_PROC_NULL ? -1 : group->world[ranks[i]];
    group->n_neighbors = n;
    group->neighbors = ranks;
  }
  pthread_mutex_unlock(&lock);
  if (group->neighbors == NULL) cw_store_fault(CW_FAULT_UNRESOLVED);
  return group->neighbors == NULL ? NULL : group;
}

bool cw_groups_start(void) {
#ifdef OPEN_MPI
  cw_comm_world = CW_COMM_WORLD;
#endif
  if (PMPI_Comm_group(cw_comm_world, &world_group) != MPI_SUCCESS) return false;
  if (PMPI_Comm_create_keyval(copy_nothing, delete_of_comm, &comm_key, NULL) != MPI_SUCCESS) return false;
  if (PMPI_Win_create_keyval(copy_nothing_of_win, delete_of_win, &win_key, NULL) != MPI_SUCCESS) return false;
  int n = 0;
  PMPI_Comm_size(cw_comm_world, &n);
  PMPI_Comm_rank(cw_comm_world, &world_members.own_rank);
  world_members.n = (uint32_t)n;
  return true;
}

void cw_groups_finish(void) {
  if (comm_key != MPI_KEYVAL_INVALID) PMPI_Comm_free_keyval(&comm_key);
  if (win_key != MPI_KEYVAL_INVALID) PMPI_Win_free_keyval(&win_key);
  if (world_members.n > 0) PMPI_Group_free(&world_group);
}

int cw_world_size(void) { return (int)world_members.n; }
int cw_world_rank_of_process(void) { return world_members.own_rank; }

bool cw_is_spawned(void) {
  MPI_Comm parent = cw_comm_world;
  return PMPI_Comm_get_parent(&parent) == MPI_SUCCESS && !CW_IS_COMM_NULL(parent);
}
