/* The register of the observers, and the calls of their functions. */
#include "dispatch.h"

#include <stdlib.h>
#include <string.h>

#include "../trace/trace.h"
#include "../verify/verify.h"

/* A new observer is a row here. */
static const struct cw_observer* const observers[] = {&cw_trace_observer, &cw_verify_observer};
enum { kObservers = sizeof observers / sizeof *observers };

static const struct cw_observer* active[kObservers];
static const struct cw_observer*
    event_observers[kObservers]; /* those of `active` that are called for events */
static int n_active;
static int n_event_observers;

/* Is `name` one of the words of the comma-separated `list`? */
static bool lists(const char* list, const char* name) {
  const size_t length = strlen(name);
  for (const char* at = list; at != NULL; at = strchr(at, ',')) {
    if (*at == ',') ++at;
    if (strncmp(at, name, length) == 0 && (at[length] == 0 || at[length] == ',')) return true;
  }
  return false;
}

bool cw_dispatch_choose(void) {
  const char* wanted = getenv("COREWISE_OBSERVE");
  const bool all = wanted == NULL || *wanted == 0;
  for (int i = 0; i < kObservers; ++i) {
    if (all || lists(wanted, observers[i]->name)) active[n_active++] = observers[i];
  }
  return n_active > 0;
}

void cw_dispatch_prepare(void) {
  for (int i = 0; i < n_active; ++i) {
    if (active[i]->prepare != NULL) active[i]->prepare();
  }
}

struct cw_takers cw_dispatch_start(void) {
  struct cw_takers takers = {.trace = false};
  for (int i = 0; i < n_active; ++i) {
    if (active[i]->start != NULL) active[i]->start();
    if (active[i] == &cw_trace_observer) {
      takers.trace = true;
    } else if (active[i]->event != NULL) {
      event_observers[n_event_observers++] = active[i];
    }
  }
  takers.others = n_event_observers > 0;
  return takers;
}

void cw_dispatch_event(const struct cw_event* event) {
  for (int i = 0; i < n_event_observers; ++i) event_observers[i]->event(event);
}

void cw_dispatch_group(uint64_t id, const int32_t* members, uint32_t n_members) {
  for (int i = 0; i < n_active; ++i) {
    if (active[i]->group != NULL) active[i]->group(id, members, n_members);
  }
}

void cw_dispatch_region(int32_t level) {
  for (int i = 0; i < n_active; ++i) {
    if (active[i]->region != NULL) active[i]->region(level);
  }
}

void cw_dispatch_finish(void) {
  for (int i = 0; i < n_active; ++i) {
    if (active[i]->finish != NULL) active[i]->finish();
  }
}
