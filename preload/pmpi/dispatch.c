/* See dispatch.h. */
#include "dispatch.h"

#include <stdlib.h>

#include "../store/environment.h"
#include "observers.h"

static struct cw_observers active;
/* Each list ends with NULL. */
static void (*called_before[CW_MOST_OBSERVERS + 1])(const struct cw_call* call);
static void (*called_after[CW_MOST_OBSERVERS + 1])(const struct cw_call* call);

const char* cw_dispatch_choose(bool has_directory) {
  return cw_observers_choose(cw_environment("COREWISE_OBSERVE"), has_directory, &active);
}

bool cw_dispatch_is_empty(void) { return active.n == 0; }

bool cw_dispatch_needs_store(void) {
  for (int i = 0; i < active.n; ++i) {
    if (active.at[i]->needs_store) return true;
  }
  return false;
}

void cw_dispatch_prepare(void) {
  for (int i = 0; i < active.n; ++i) {
    if (active.at[i]->prepare != NULL) active.at[i]->prepare();
  }
}

bool cw_dispatch_has_mpi_thread(void) {
  for (int i = 0; i < active.n; ++i) {
    if (active.at[i]->has_mpi_thread != NULL && active.at[i]->has_mpi_thread()) return true;
  }
  return false;
}

struct cw_takers cw_dispatch_start(bool store_is_open) {
  const struct cw_observers chosen = active;
  struct cw_takers takers = {.watch = false};
  int n_before = 0, n_after = 0;
  active.n = 0;
  for (int i = 0; i < chosen.n; ++i) {
    const struct cw_observer* observer = chosen.at[i];
    if (observer->needs_store && !store_is_open) continue;
    active.at[active.n++] = observer;
    if (observer->start != NULL) observer->start();
    if (observer->wants_calls != NULL && !observer->wants_calls()) continue;
    if (observer->before != NULL) called_before[n_before++] = observer->before;
    if (observer->after != NULL) called_after[n_after++] = observer->after;
    takers.counts |= observer->needs_counts;
  }
  called_before[n_before] = called_after[n_after] = NULL; /* a second start may have fewer observers */
  takers.watch = n_before > 0 || n_after > 0;
  return takers;
}

void cw_dispatch_before(const struct cw_call* call) {
  for (int i = 0; called_before[i] != NULL; ++i) called_before[i](call);
}

void cw_dispatch_after(const struct cw_call* call) {
  for (int i = 0; called_after[i] != NULL; ++i) called_after[i](call);
}

void cw_dispatch_communicator(const struct cw_communicator* comm) {
  for (int i = 0; i < active.n; ++i) {
    if (active.at[i]->communicator != NULL) active.at[i]->communicator(comm);
  }
}

void cw_dispatch_name(const struct cw_communicator* comm, const char* name) {
  for (int i = 0; i < active.n; ++i) {
    if (active.at[i]->named != NULL) active.at[i]->named(comm, name);
  }
}

void cw_dispatch_region(int32_t level) {
  for (int i = 0; i < active.n; ++i) {
    if (active.at[i]->region != NULL) active.at[i]->region(level);
  }
}

void cw_dispatch_finish(void) {
  for (int i = 0; i < active.n; ++i) {
    if (active.at[i]->finish != NULL) active.at[i]->finish();
  }
}
