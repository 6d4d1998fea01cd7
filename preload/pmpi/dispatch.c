/* Which observers are active, and the calls of their functions. */
#include "dispatch.h"

#include <stdlib.h>
#include <string.h>

#include "observers.h"

enum { kMost = 16 };

/* Some of the observers, in the order of the register. */
struct list {
  const struct cw_observer* observers[kMost];
  int n;
};

static struct list active;
static struct list called_before;
static struct list called_after;

static void append(struct list* list, const struct cw_observer* observer) {
  if (list->n < kMost) list->observers[list->n++] = observer;
}

/* Is `name` one of the words of the comma-separated `list`? */
static bool lists(const char* list, const char* name) {
  const size_t length = strlen(name);
  for (const char* at = list; at != NULL; at = strchr(at, ',')) {
    if (*at == ',') ++at;
    if (strncmp(at, name, length) == 0 && (at[length] == 0 || at[length] == ',')) return true;
  }
  return false;
}

bool cw_dispatch_choose(bool has_directory) {
  const char* wanted = getenv("COREWISE_OBSERVE");
  const bool all = wanted == NULL || *wanted == 0;
  active.n = 0;
  for (int i = 0; i < cw_n_observers; ++i) {
    const struct cw_observer* observer = cw_observers[i];
    if ((all || lists(wanted, observer->name)) && (has_directory || !observer->needs_store))
      append(&active, observer);
  }
  return active.n > 0;
}

bool cw_dispatch_needs_store(void) {
  for (int i = 0; i < active.n; ++i) {
    if (active.observers[i]->needs_store) return true;
  }
  return false;
}

void cw_dispatch_prepare(void) {
  for (int i = 0; i < active.n; ++i) {
    if (active.observers[i]->prepare != NULL) active.observers[i]->prepare();
  }
}

struct cw_takers cw_dispatch_start(bool store_is_open) {
  const struct list chosen = active;
  struct cw_takers takers = {.trace = false};
  active.n = called_before.n = called_after.n = 0;
  for (int i = 0; i < chosen.n; ++i) {
    const struct cw_observer* observer = chosen.observers[i];
    if (observer->needs_store && !store_is_open) continue;
    append(&active, observer);
    if (observer->start != NULL) observer->start();
    takers.trace |= observer == cw_counting_observer;
    if (observer->wants_calls != NULL && !observer->wants_calls()) continue;
    if (observer->before != NULL) append(&called_before, observer);
    if (observer->after != NULL) append(&called_after, observer);
  }
  takers.watch = called_before.n > 0 || called_after.n > 0;
  return takers;
}

void cw_dispatch_before(const struct cw_call* call) {
  for (int i = 0; i < called_before.n; ++i) called_before.observers[i]->before(call);
}

void cw_dispatch_after(const struct cw_call* call) {
  for (int i = 0; i < called_after.n; ++i) called_after.observers[i]->after(call);
}

void cw_dispatch_communicator(const struct cw_communicator* comm) {
  for (int i = 0; i < active.n; ++i) {
    if (active.observers[i]->communicator != NULL) active.observers[i]->communicator(comm);
  }
}

void cw_dispatch_region(int32_t level) {
  for (int i = 0; i < active.n; ++i) {
    if (active.observers[i]->region != NULL) active.observers[i]->region(level);
  }
}

void cw_dispatch_finish(void) {
  for (int i = 0; i < active.n; ++i) {
    if (active.observers[i]->finish != NULL) active.observers[i]->finish();
  }
}
