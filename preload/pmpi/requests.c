/* A chained hash table from request handles to templates. One lock is enough: starts are rarer than sends,
 * and threads seldom start requests at the same time. */
#include "requests.h"

#include <pthread.h>
#include <stdlib.h>

#include "../store/store.h"

struct cw_request_template {
  uint64_t request;
  struct cw_request_template* next;
  uint32_t n_events;
  uint32_t capacity;
  struct cw_event* events;
};

enum { kBuckets = 1024 };
static struct cw_request_template* buckets[kBuckets];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

struct cw_request_template* cw_request_template_new(void) {
  struct cw_request_template* request_template = calloc(1, sizeof *request_template);
  if (request_template == NULL) cw_store_fault(CW_FAULT_NO_MEMORY);
  return request_template;
}

void cw_request_template_add(struct cw_request_template* request_template, const struct cw_event* event) {
  if (request_template->n_events == request_template->capacity) {
    const uint32_t larger = request_template->capacity == 0 ? 1 : request_template->capacity * 2;
    struct cw_event* events = realloc(request_template->events, larger * sizeof *events);
    if (events == NULL) {
      cw_store_fault(CW_FAULT_NO_MEMORY);
      return;
    }
    request_template->events = events;
    request_template->capacity = larger;
  }
  request_template->events[request_template->n_events++] = *event;
}

static struct cw_request_template** place_of(uint64_t request) {
  struct cw_request_template** at = &buckets[(request * 0x9e3779b97f4a7c15u) >> 32 & (kBuckets - 1)];
  while (*at != NULL && (*at)->request != request) at = &(*at)->next;
  return at;
}

static struct cw_request_template* unlink_template(uint64_t request) {
  struct cw_request_template** at = place_of(request);
  struct cw_request_template* request_template = *at;
  if (request_template != NULL) *at = request_template->next;
  return request_template;
}

static void free_template(struct cw_request_template* request_template) {
  if (request_template != NULL) free(request_template->events);
  free(request_template);
}

void cw_requests_insert(uint64_t request, struct cw_request_template* request_template) {
  pthread_mutex_lock(&lock);
  struct cw_request_template* older = unlink_template(request);
  struct cw_request_template** at = place_of(request);
  request_template->request = request;
  request_template->next = *at;
  *at = request_template;
  pthread_mutex_unlock(&lock);
  free_template(older);
}

void cw_requests_remove(uint64_t request) {
  pthread_mutex_lock(&lock);
  struct cw_request_template* request_template = unlink_template(request);
  pthread_mutex_unlock(&lock);
  free_template(request_template);
}

bool cw_requests_visit(uint64_t request, void (*visit)(const struct cw_event* event, void* context),
                       void* context) {
  pthread_mutex_lock(&lock);
  const struct cw_request_template* request_template = *place_of(request);
  pthread_mutex_unlock(&lock);
  if (request_template == NULL) return false;
  for (uint32_t i = 0; i < request_template->n_events; ++i) visit(&request_template->events[i], context);
  return true;
}
