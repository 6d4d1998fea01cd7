/* Resolves groups at first use and stores each as an attribute of its communicator or window. MPI deletes the
 * attribute when it frees the communicator or window. */
#include "groups.h"

#include <pthread.h>
#include <stdlib.h>

#include "../../store/store.h"
#include "comm_identity.h"
#include "dispatch.h"
#include "outside.h"
#include "this_rank.h"

_Atomic uint32_t cw_groups_generation;
#ifdef OPEN_MPI
MPI_Comm cw_comm_world;
#endif
static MPI_Group world_group; /* of MPI_COMM_WORLD, or with sessions of the process set mpi://WORLD */
static MPI_Session own_session;
static int comm_key = MPI_KEYVAL_INVALID;
static int win_key = MPI_KEYVAL_INVALID;
struct cw_group cw_world_members;
/* Held while a group is resolved, never during a look-up. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void let_go_of_members(struct cw_group* group) {
  if (group->own_side != group->members) cw_members_release(group->own_side);
  cw_members_release(group->members);
  free(group->outside);
  group->members = group->own_side = NULL;
  group->outside = NULL;
}

static void free_group(struct cw_group* group) {
  if (group == NULL) return;
  let_go_of_members(group);
  free((void*)group->neighbors);
  free(group);
}

/* The attribute is not copied: a duplicate gets its own group at first use. */
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

/* World ranks of all members of `group`; NULL: failed. */
static struct cw_members* translate(MPI_Group group, uint32_t n) {
  int* ranks = malloc((n + 1) * sizeof *ranks);
  struct cw_members* found = cw_members_new(n);
  bool translated = false;
  if (ranks != NULL && found != NULL) {
    for (uint32_t i = 0; i < n; ++i) ranks[i] = (int)i;
    translated = PMPI_Group_translate_ranks(group, (int)n, ranks, world_group, found->world) == MPI_SUCCESS;
    for (uint32_t i = 0; translated && i < n; ++i)
      if (found->world[i] == MPI_UNDEFINED) found->world[i] = -1;
  }
  free(ranks);
  if (translated) return found;
  cw_members_release(found);
  return NULL;
}

/* Sets the members of `group` from the MPI group `members`, and frees the latter. */
static bool resolve_members(struct cw_group* group, MPI_Group members) {
  int n = 0;
  struct cw_members* found = NULL;
  if (PMPI_Group_size(members, &n) == MPI_SUCCESS) found = translate(members, (uint32_t)n);
  for (uint32_t i = 0; found != NULL && i < found->n; ++i) group->has_foreign |= found->world[i] < 0;
  if (found != NULL && group->has_foreign) group->outside = cw_outside_numbers(members, (uint32_t)n);
  PMPI_Group_free(&members);
  if (found == NULL) {
    cw_store_fault(CW_FAULT_UNRESOLVED);
    return false;
  }
  group->n = (uint32_t)n;
  group->members = found;
  group->world = found->world;
  return true;
}

/* Sets the local group, and what observers see. */
static bool resolve_own_side(MPI_Comm comm, struct cw_group* group) {
  struct cw_communicator* seen = &group->seen;
  group->own_side = group->members;
  if (group->inter) {
    struct cw_group local = {.inter = false};
    MPI_Group members;
    if (PMPI_Comm_group(comm, &members) != MPI_SUCCESS || !resolve_members(&local, members)) return false;
    free(local.outside);
    group->own_side = local.members;
    group->has_foreign |= local.has_foreign;
    seen->remote_group = cw_members_hash(group->world, group->n);
  }
  seen->members = group->own_side->world;
  seen->n_members = group->own_side->n;
  seen->group = cw_members_hash(seen->members, seen->n_members);
  seen->own_rank = group->own_rank;
  seen->is_inter = group->inter;
  return true;
}

/* Hash of all members, on both sides of an inter-communicator. */
static uint64_t hash_of(const struct cw_communicator* seen) {
  return seen->is_inter ? cw_sides_hash(seen->group, seen->remote_group) : seen->group;
}

/* Sets the ids, after the members are known. */
static void identify(MPI_Comm comm, struct cw_group* group) {
  struct cw_communicator* seen = &group->seen;
  const bool is_world = comm == cw_comm_world;
  seen->id = is_world ? CW_COMM_WORLD_ID : cw_comm_id(seen->parent, group->order, hash_of(seen));
  seen->is_listed = is_world || group->is_early;
  group->row_id = seen->is_listed ? seen->id : seen->group;
}

/* Resolves a group of which at most the origin is known. */
static bool resolve_comm(MPI_Comm comm, struct cw_group* group) {
  int inter = 0;
  MPI_Group members;
  PMPI_Comm_test_inter(comm, &inter);
  PMPI_Comm_rank(comm, &group->own_rank);
  group->inter = inter != 0;
  const int failed = inter ? PMPI_Comm_remote_group(comm, &members) : PMPI_Comm_group(comm, &members);
  if (failed != MPI_SUCCESS) {
    cw_store_fault(CW_FAULT_UNRESOLVED);
    return false;
  }
  if (!resolve_members(group, members)) return false;
  if (!resolve_own_side(comm, group)) {
    let_go_of_members(group);
    return false;
  }
  identify(comm, group);
  return true;
}

static struct cw_group* find_comm(MPI_Comm comm) {
  void* found = NULL;
  int flag = 0;
  return PMPI_Comm_get_attr(comm, comm_key, &found, &flag) == MPI_SUCCESS && flag ? found : NULL;
}

/* The communicator's group, maybe unresolved, or a new one. The caller holds the lock. */
static struct cw_group* find_or_attach(MPI_Comm comm) {
  struct cw_group* group = find_comm(comm);
  if (group != NULL) return group;
  group = calloc(1, sizeof *group);
  /* With release order, because another thread may find the group through MPI: see cw_group_of_win(). */
  if (group != NULL) atomic_store_explicit(&group->resolved, false, memory_order_release);
  if (group == NULL || PMPI_Comm_set_attr(comm, comm_key, group) != MPI_SUCCESS) {
    cw_store_fault(CW_FAULT_UNRESOLVED);
    free_group(group);
    return NULL;
  }
  return group;
}

/* A call may succeed without writing a communicator: see CW_COMM_UNSET. */
static struct cw_group* find_or_resolve(MPI_Comm comm) {
  if (!CW_IS_COMM(comm)) return NULL;
  struct cw_group* group = find_comm(comm);
  if (group != NULL && atomic_load_explicit(&group->resolved, memory_order_acquire)) return group;
  pthread_mutex_lock(&lock);
  group = find_or_attach(comm);
  if (group != NULL && !group->resolved) {
    if (resolve_comm(comm, group)) {
      atomic_store_explicit(&group->resolved, true, memory_order_release);
    } else {
      group = NULL;
    }
  }
  pthread_mutex_unlock(&lock);
  return group;
}

/* Reads the generation first: if a communicator is freed meanwhile, the cached group counts as outdated. */
const struct cw_group* cw_find_group(MPI_Comm comm) {
  const uint32_t generation = atomic_load(&cw_groups_generation);
  const struct cw_group* group = find_or_resolve(comm);
  cw_thread.comm = cw_comm_number(comm);
  cw_thread.group = group;
  cw_thread.generation = generation;
  return group;
}

/* Rank 0 reports for all, because all members would report the same. */
static void hand_over(struct cw_group* group) {
  if (!group->has_foreign && group->own_rank == 0 &&
      !atomic_load_explicit(&group->dispatched, memory_order_relaxed) &&
      !atomic_exchange(&group->dispatched, true))
    cw_dispatch_communicator(&group->seen);
}

const struct cw_group* cw_group_of_collective(MPI_Comm comm) {
  struct cw_group* group = (struct cw_group*)cw_group_of_comm(comm);
  if (group != NULL && !group->inter) hand_over(group);
  return group;
}

/* Stores the origin of a new communicator, before other code asks for its group. `n_before`: see
 * cw_comm_place(). A listed communicator is reported now, because its rank 0 may never use it. */
static void note_origin(MPI_Comm made, const struct cw_group* parent, uint64_t order, uint64_t n_before) {
  int rank = -1;
  pthread_mutex_lock(&lock);
  struct cw_group* group = find_or_attach(made);
  if (group != NULL) {
    group->seen.parent = parent == NULL ? 0 : parent->seen.id;
    group->place = cw_comm_place(parent == NULL ? 0 : parent->place, n_before);
    group->is_early = group->place <= CW_LISTED_COMMS && (parent == NULL || parent->seen.is_listed);
    group->order = order;
  }
  pthread_mutex_unlock(&lock);
  if (group == NULL || !group->is_early || PMPI_Comm_rank(made, &rank) != MPI_SUCCESS || rank != 0) return;
  if (find_or_resolve(made) != NULL) hand_over(group);
}

void cw_comm_made(MPI_Comm parent, MPI_Comm made) {
  if (cw_comm_is_unset(made)) return;
  struct cw_group* from = (struct cw_group*)cw_group_of_comm(parent);
  if (from == NULL) return;
  pthread_mutex_lock(&lock);
  const uint32_t order = from->n_made++;
  pthread_mutex_unlock(&lock);
  if (!CW_IS_COMM_NULL(made)) note_origin(made, from, order, order);
}

/* Connects the outside processes first: resolving the communicator needs their numbers. */
void cw_comm_connected(enum cw_profile_connection_kind kind, int root, MPI_Comm parent, MPI_Comm made) {
  if (cw_comm_is_unset(made) || CW_IS_COMM_NULL(made)) return;
  const struct cw_group* from = cw_group_of_comm(parent);
  if (from == NULL) return;
  cw_outside_connect(kind, cw_comm_id(from->seen.id, from->n_made, 0), from->own_rank == root, made);
  cw_comm_made(parent, made);
}

void cw_comm_connected_with_parents(void) {
  MPI_Comm parent = cw_comm_world;
  if (PMPI_Comm_get_parent(&parent) == MPI_SUCCESS)
    cw_outside_connect(CW_CONNECTION_SPAWNED, CW_COMM_WORLD_ID, cw_world_members.own_rank == 0, parent);
}

/* Hash of the members of a communicator. They are resolved again later; such communicators are rare. False:
 * not resolved. */
static bool hash_members(MPI_Comm comm, uint64_t* hash) {
  struct cw_group probe = {.n = 0};
  if (!resolve_comm(comm, &probe)) return false;
  *hash = hash_of(&probe.seen);
  let_go_of_members(&probe);
  return true;
}

void cw_comm_made_by_members(MPI_Comm parent, int tag, MPI_Comm made) {
  if (cw_comm_is_unset(made) || CW_IS_COMM_NULL(made)) return;
  const struct cw_group* from = CW_IS_COMM_NULL(parent) ? NULL : cw_group_of_comm(parent);
  uint64_t members = 0;
  if (!hash_members(made, &members)) return;
  const uint64_t key = cw_comm_id(from == NULL ? 0 : from->seen.id, (uint64_t)tag, members);
  const uint32_t before = cw_count_occurrence(key);
  note_origin(made, from, ((uint64_t)tag + 1) << 32 | before, (uint64_t)tag + before);
}

/* Threads may create several at a time, with different tags. Only those with the same tag are created in the
 * same order on all members, so each tag has its own count. */
void cw_comm_made_from_groups(struct cw_text tag, MPI_Comm made) {
  uint64_t members = 0;
  if (cw_comm_is_unset(made) || CW_IS_COMM_NULL(made) || !hash_members(made, &members)) return;
  const uint64_t tag_hash = cw_text_hash(tag.at, tag.n);
  const uint32_t before = cw_count_occurrence(cw_comm_id(tag_hash, 0, members));
  const uint32_t of_all_tags = cw_count_occurrence(cw_comm_id(0, 0, members));
  note_origin(made, NULL, cw_comm_id(tag_hash, before, 0), of_all_tags);
}

/* Asks MPI for the name: the argument of the call may be a padded Fortran string. */
void cw_comm_named(MPI_Comm comm) {
  const struct cw_group* group = cw_group_of_comm(comm);
  if (group == NULL || group->own_rank != 0 || !group->seen.is_listed) return;
  char name[MPI_MAX_OBJECT_NAME + 1] = "";
  int length = 0;
  if (PMPI_Comm_get_name(comm, name, &length) == MPI_SUCCESS) cw_dispatch_name(&group->seen, name);
}

static struct cw_group* find_win(MPI_Win win) {
  void* found = NULL;
  int flag = 0;
  return PMPI_Win_get_attr(win, win_key, &found, &flag) == MPI_SUCCESS && flag ? found : NULL;
}

/* For a window without a group. The caller holds the lock. */
static struct cw_group* attach_to_win(MPI_Win win) {
  MPI_Group members;
  if (PMPI_Win_get_group(win, &members) != MPI_SUCCESS) return NULL;
  struct cw_group* group = calloc(1, sizeof *group);
  if (group == NULL) {
    PMPI_Group_free(&members);
    return NULL;
  }
  if (resolve_members(group, members)) {
    atomic_store_explicit(&group->resolved, true, memory_order_release);
    if (PMPI_Win_set_attr(win, win_key, group) == MPI_SUCCESS) return group;
  }
  free_group(group);
  return NULL;
}

/* The atomic flag orders this thread's reads after another thread's writes to the group. Finding the group
 * through MPI does not: ThreadSanitizer reported a race with MPICH 5.0.2. */
const struct cw_group* cw_group_of_win(MPI_Win win) {
#ifndef OPEN_MPI
  if (!CW_IS_HANDLE(win, MPI_WIN_NULL)) return NULL; /* see find_or_resolve() */
#endif
  struct cw_group* group = find_win(win);
  if (group != NULL && atomic_load_explicit(&group->resolved, memory_order_acquire)) return group;
  pthread_mutex_lock(&lock);
  group = find_win(win);
  if (group == NULL) group = attach_to_win(win);
  pthread_mutex_unlock(&lock);
  return group;
}

/* A separate session keeps the group until the program's last session ends. MPI does not allow groups of
 * several sessions in one call (MPI 4.1, 11.3), but translating ranks between them works in both MPIs,
 * because they compare processes (MPICH 4.0 and 5.0, src/mpi/group; Open MPI 5.0, ompi/group/group.c). */
static bool find_world_of_session(void) {
  if (PMPI_Session_init(CW_INFO_NULL, CW_ERRORS_RETURN, &own_session) != MPI_SUCCESS) return false;
  if (PMPI_Group_from_session_pset(own_session, "mpi://WORLD", &world_group) == MPI_SUCCESS) return true;
  PMPI_Session_finalize(&own_session);
  return false;
}

static bool find_world(void) {
  return cw_this_rank.has_world ? PMPI_Comm_group(cw_comm_world, &world_group) == MPI_SUCCESS
                                : find_world_of_session();
}

bool cw_groups_start(void) {
#ifdef OPEN_MPI
  cw_comm_world = CW_COMM_WORLD;
#endif
  if (!find_world()) return false;
  int n = 0;
  PMPI_Group_size(world_group, &n);
  PMPI_Group_rank(world_group, &cw_world_members.own_rank);
  cw_world_members.n = (uint32_t)n;
  if (PMPI_Comm_create_keyval(copy_nothing, delete_of_comm, &comm_key, NULL) != MPI_SUCCESS) return false;
  if (PMPI_Win_create_keyval(copy_nothing_of_win, delete_of_win, &win_key, NULL) != MPI_SUCCESS) return false;
  return true;
}

void cw_groups_hand_over_world(void) {
  if (cw_world_members.own_rank == 0) (void)cw_group_of_collective(cw_comm_world);
}

void cw_groups_finish(void) {
  cw_outside_finish();
  if (comm_key != MPI_KEYVAL_INVALID) PMPI_Comm_free_keyval(&comm_key);
  if (win_key != MPI_KEYVAL_INVALID) PMPI_Win_free_keyval(&win_key);
  if (cw_world_members.n == 0) return;
  cw_world_members.n = 0;
  PMPI_Group_free(&world_group);
  if (!cw_this_rank.has_world) PMPI_Session_finalize(&own_session);
}

bool cw_is_spawned(void) {
  MPI_Comm parent = cw_comm_world;
  return PMPI_Comm_get_parent(&parent) == MPI_SUCCESS && !CW_IS_COMM_NULL(parent);
}
