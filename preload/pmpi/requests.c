/* A chained hash table from request handles to recipes, behind one lock: starts are rarer than sends, and
 * uncontended. */
#include "requests.h"

#include <pthread.h>
#include <stdlib.h>

#include "../store/store.h"

struct cw_recipe {
  uint64_t request;
  struct cw_recipe* next;
  uint32_t n_events;
  uint32_t capacity;
  struct cw_event* events;
};

enum { kBuckets = 1024 };
static struct cw_recipe* buckets[kBuckets];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

struct cw_recipe* cw_recipe_new(void) {
  struct cw_recipe* recipe = calloc(1, sizeof *recipe);
  if (recipe == NULL) cw_store_fault(CW_FAULT_NO_MEMORY);
  return recipe;
}

void cw_recipe_add(struct cw_recipe* recipe, const struct cw_event* event) {
  if (recipe->n_events == recipe->capacity) {
    const uint32_t larger = recipe->capacity == 0 ? 1 : recipe->capacity * 2;
    struct cw_event* events = realloc(recipe->events, larger * sizeof *events);
    if (events == NULL) {
      cw_store_fault(CW_FAULT_NO_MEMORY);
      return;
    }
    recipe->events = events;
    recipe->capacity = larger;
  }
  recipe->events[recipe->n_events++] = *event;
}

static struct cw_recipe** place_of(uint64_t request) {
  struct cw_recipe** at = &buckets[(request * 0x9e3779b97f4a7c15u) >> 32 & (kBuckets - 1)];
  while (*at != NULL && (*at)->request != request) at = &(*at)->next;
  return at;
}

static struct cw_recipe* unlink_recipe(uint64_t request) {
  struct cw_recipe** at = place_of(request);
  struct cw_recipe* recipe = *at;
  if (recipe != NULL) *at = recipe->next;
  return recipe;
}

static void free_recipe(struct cw_recipe* recipe) {
  if (recipe != NULL) free(recipe->events);
  free(recipe);
}

void cw_requests_keep(uint64_t request, struct cw_recipe* recipe) {
  pthread_mutex_lock(&lock);
  struct cw_recipe* older = unlink_recipe(request);
  struct cw_recipe** at = place_of(request);
  recipe->request = request;
  recipe->next = *at;
  *at = recipe;
  pthread_mutex_unlock(&lock);
  free_recipe(older);
}

void cw_requests_drop(uint64_t request) {
  pthread_mutex_lock(&lock);
  struct cw_recipe* recipe = unlink_recipe(request);
  pthread_mutex_unlock(&lock);
  free_recipe(recipe);
}

bool cw_requests_visit(uint64_t request, void (*visit)(const struct cw_event* event, void* context),
                       void* context) {
  pthread_mutex_lock(&lock);
  const struct cw_recipe* recipe = *place_of(request);
  pthread_mutex_unlock(&lock);
  if (recipe == NULL) return false;
  for (uint32_t i = 0; i < recipe->n_events; ++i) visit(&recipe->events[i], context);
  return true;
}
