/* A hash table from handles to requests: open addressing, linear probing, at most half full. One lock is
 * enough: starts are rarer than sends, and threads seldom start requests at the same time. */
#include "requests.h"

#include <pthread.h>
#include <stdlib.h>

#include "../store/store.h"

enum { kFirstSlots = 64 };

static struct cw_request** slots; /* a power of two of them */
static size_t n_slots;
static size_t n_requests;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

struct cw_request* cw_request_new(void) {
  struct cw_request* request = calloc(1, sizeof *request);
  if (request == NULL) cw_store_fault(CW_FAULT_NO_MEMORY);
  return request;
}

void cw_request_add(struct cw_request* request, const struct cw_event* event) {
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

static void free_request(struct cw_request* request) {
  if (request != NULL) free(request->events);
  free(request);
}

/* Fibonacci hashing (Knuth, TAOCP 3, 6.4): handles are pointers or small numbers, alike in their lower bits.
 */
static size_t slot_of(uint64_t handle) { return (handle * 0x9e3779b97f4a7c15u) >> 32 & (n_slots - 1); }

/* The slot of the handle, or the empty one where it would be entered. */
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

/* Empties a slot and moves back what stands behind it, so that look-ups end at the first empty slot (Knuth,
 * TAOCP 3, 6.4, algorithm R). */
static void empty_slot(size_t hole) {
  slots[hole] = NULL;
  --n_requests;
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
  if (request != NULL) empty_slot(at);
  return request;
}

void cw_requests_enter(struct cw_request* request, uint64_t handle) {
  pthread_mutex_lock(&lock);
  struct cw_request* older = NULL;
  if (n_slots > 0 && slots[place_of(request->handle)] == request) (void)take(request->handle);
  older = take(handle);
  request->handle = handle;
  const bool has_room = 2 * (n_requests + 1) <= n_slots || grow() || n_requests + 2 <= n_slots;
  if (has_room) {
    slots[place_of(handle)] = request;
    ++n_requests;
  }
  pthread_mutex_unlock(&lock);
  free_request(older);
  if (!has_room) {
    cw_store_fault(CW_FAULT_NO_MEMORY);
    free_request(request);
  }
}

struct cw_request* cw_requests_find(uint64_t handle) {
  pthread_mutex_lock(&lock);
  struct cw_request* request = n_slots == 0 ? NULL : slots[place_of(handle)];
  pthread_mutex_unlock(&lock);
  return request;
}

void cw_requests_remove(uint64_t handle) {
  pthread_mutex_lock(&lock);
  struct cw_request* request = take(handle);
  pthread_mutex_unlock(&lock);
  free_request(request);
}
