/* Hash table from handles to chains of requests: open addressing, linear probing, at most half full. One lock
 * suffices, because threads are seldom in MPI at the same time. */
#include "requests.h"

#include <pthread.h>
#include <stdlib.h>

#include "../../store/store.h"
#include "comms/members.h"

enum { kFirstSlots = 64, kMostLive = 1 << 20 };

static struct cw_request** slots; /* the newest request of each handle; n_slots is a power of two */
static size_t n_slots;
static size_t n_handles;
static uint64_t n_live;
static uint64_t n_begun;
static struct cw_request* spare;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool locking = true;

void cw_requests_share(bool shared) { locking = shared; }

static void take_lock(void) {
  if (locking) pthread_mutex_lock(&lock);
}

static void leave_lock(void) {
  if (locking) pthread_mutex_unlock(&lock);
}

/* Reuses a spare request with its allocated events, or allocates one. Sets members one by one: see
 * cw_watch_begin(). */
static struct cw_request* allocate(void) {
  struct cw_request* request = spare;
  if (request == NULL) return n_live < kMostLive ? calloc(1, sizeof *request) : NULL;
  spare = request->older;
  request->handle = 0;
  request->operation = (struct cw_operation){.number = 0};
  request->members = NULL;
  request->n_events = 0;
  request->next_started = NULL;
  request->position = 0;
  request->older = NULL;
  return request;
}

struct cw_request* cw_request_new(bool is_persistent) {
  take_lock();
  struct cw_request* request = allocate();
  if (request != NULL) ++n_live;
  leave_lock();
  if (request == NULL) {
    cw_store_fault(CW_FAULT_NO_MEMORY);
    return NULL;
  }
  request->is_persistent = is_persistent;
  return request;
}

struct cw_request cw_request_lost;

void cw_request_add(struct cw_request* request, const struct cw_event* event) {
  if (request == &cw_request_lost) return;
  if (request->n_events == request->room) {
    const uint32_t larger = request->room == 0 ? 1 : request->room * 2;
    struct cw_event* events = realloc(request->events, larger * sizeof *events);
    if (events == NULL) {
      cw_store_fault(CW_FAULT_NO_MEMORY);
      return;
    }
    request->events = events;
    request->room = larger;
  }
  request->events[request->n_events++] = *event;
}

/* Makes a whole chain spare. The caller holds the lock. */
static void put_back(struct cw_request* request) {
  while (request != NULL) {
    struct cw_request* older = request->older;
    cw_members_release(request->members);
    request->members = NULL;
    request->older = spare;
    spare = request;
    --n_live;
    request = older;
  }
}

void cw_request_free(struct cw_request* request) {
  if (request == NULL) return;
  take_lock();
  request->older = NULL;
  put_back(request);
  leave_lock();
}

void cw_request_begin(struct cw_request* request, uint64_t ticks) {
  take_lock();
  request->operation.number = ++n_begun;
  leave_lock();
  request->operation.posted = ticks;
}

/* Fibonacci hashing (Knuth, TAOCP 3, 6.4): handles are aligned pointers or small numbers. */
static size_t slot_of(uint64_t handle) { return (handle * 0x9e3779b97f4a7c15u) >> 32 & (n_slots - 1); }

/* The handle's slot, or the empty slot for it. */
static size_t place_of(uint64_t handle) {
  size_t at = slot_of(handle);
  while (slots[at] != NULL && slots[at]->handle != handle) at = (at + 1) & (n_slots - 1);
  return at;
}

static bool grow(void) {
  struct cw_request** old = slots;
  const size_t n_old = n_slots;
  const size_t n_new = n_old == 0 ? kFirstSlots : 2 * n_old;
  struct cw_request** larger = calloc(n_new, sizeof *larger);
  if (larger == NULL) return false;
  slots = larger;
  n_slots = n_new;
  for (size_t i = 0; i < n_old; ++i) {
    if (old[i] != NULL) slots[place_of(old[i]->handle)] = old[i];
  }
  free(old);
  return true;
}

/* Empties a slot and closes the gap, because look-ups end at the first empty slot (Knuth, TAOCP 3, 6.4,
 * algorithm R). */
static void empty_slot(size_t hole) {
  slots[hole] = NULL;
  --n_handles;
  for (size_t at = (hole + 1) & (n_slots - 1); slots[at] != NULL; at = (at + 1) & (n_slots - 1)) {
    const size_t home = slot_of(slots[at]->handle);
    if (((at - home) & (n_slots - 1)) < ((at - hole) & (n_slots - 1))) continue;
    slots[hole] = slots[at];
    slots[at] = NULL;
    hole = at;
  }
}

static struct cw_request* take(uint64_t handle) {
  if (n_slots == 0) return NULL;
  const size_t at = place_of(handle);
  struct cw_request* request = slots[at];
  if (request == NULL) return NULL;
  if (request->older == NULL) {
    empty_slot(at);
  } else {
    slots[at] = request->older;
  }
  request->older = NULL;
  return request;
}

/* False: there is no slot for the handle, and no memory for a larger table. */
static bool has_room(uint64_t handle) {
  if (n_slots > 0 && slots[place_of(handle)] != NULL) return true;
  return 2 * (n_handles + 1) <= n_slots || grow() || n_handles + 2 <= n_slots;
}

void cw_requests_enter(struct cw_request* request, uint64_t handle) {
  take_lock();
  if (n_slots > 0 && slots[place_of(request->handle)] == request) (void)take(request->handle);
  for (struct cw_request* stale; request->is_persistent && (stale = take(handle)) != NULL;) put_back(stale);
  request->handle = handle;
  const bool entered = has_room(handle);
  if (entered) {
    struct cw_request** slot = &slots[place_of(handle)];
    n_handles += *slot == NULL;
    request->older = *slot;
    *slot = request;
  } else {
    put_back(request);
  }
  leave_lock();
  if (!entered) cw_store_fault(CW_FAULT_NO_MEMORY);
}

struct cw_request* cw_requests_find(uint64_t handle) {
  take_lock();
  struct cw_request* request = n_slots == 0 ? NULL : slots[place_of(handle)];
  leave_lock();
  return request;
}

struct cw_request* cw_requests_take(uint64_t handle) {
  take_lock();
  struct cw_request* request = take(handle);
  leave_lock();
  return request;
}

uint64_t cw_requests_begun(void) {
  take_lock();
  const uint64_t n = n_begun;
  leave_lock();
  return n;
}

/* The caller holds the lock, and the table has slots. */
static struct cw_request* complete(uint64_t handle, uint64_t begun) {
  const size_t at = place_of(handle);
  struct cw_request** link = &slots[at];
  while (*link != NULL && (*link)->operation.number > begun) link = &(*link)->older;
  struct cw_request* request = *link;
  if (request == NULL || request->operation.number == 0 || request->is_persistent)
    return request != NULL && request->operation.number > 0 ? request : NULL;
  *link = request->older;
  request->older = NULL;
  if (slots[at] == NULL) empty_slot(at);
  return request;
}

struct cw_request* cw_requests_complete(uint64_t handle, uint64_t begun) {
  take_lock();
  struct cw_request* request = n_slots == 0 ? NULL : complete(handle, begun);
  leave_lock();
  return request;
}

uint64_t cw_requests_live(void) {
  take_lock();
  const uint64_t n = n_live;
  leave_lock();
  return n;
}
