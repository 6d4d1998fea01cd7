/* See dispatch.h. */
#include "dispatch.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "../store/environment.h"

enum { MOST_OBSERVERS = 16 };

/* Observers in calling order. */
struct observers {
  const struct cw_observer* at[MOST_OBSERVERS];
  int n;
};

static struct observers active;
/* Each list ends with NULL. */
static void (*called_before[MOST_OBSERVERS + 1])(const struct cw_call* call);
static void (*called_after[MOST_OBSERVERS + 1])(const struct cw_call* call);

static char sentence[512];

/* False if there are too many; sets `sentence`. */
static bool append(const struct cw_observer* observer, bool has_directory) {
  if (!has_directory && observer->needs_store) return true;
  if (active.n == MOST_OBSERVERS) {
    snprintf(sentence, sizeof sentence, "COREWISE_OBSERVE lists more than %d observers", MOST_OBSERVERS);
    return false;
  }
  active.at[active.n++] = observer;
  return true;
}

/* The next word of a comma-separated list, and its length; NULL: end of the list. */
static const char* next_word(const char* list, size_t* length) {
  while (*list == ',') ++list;
  *length = strcspn(list, ",");
  return *length == 0 ? NULL : list;
}

static bool is_word(const char* word, size_t length, const char* name) {
  return strlen(name) == length && strncmp(word, name, length) == 0;
}

static bool lists(const char* list, const char* name) {
  size_t length = 0;
  for (const char* word = list; (word = next_word(word, &length)) != NULL; word += length) {
    if (is_word(word, length, name)) return true;
  }
  return false;
}

/* The observer of another library. NULL if it has none of this version; sets `sentence`. */
static const struct cw_observer* load(const char* path) {
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  const struct cw_observer* observer = library == NULL ? NULL : dlsym(library, CW_OBSERVER_SYMBOL);
  if (observer == NULL) {
    snprintf(sentence, sizeof sentence, "COREWISE_OBSERVE lists %.300s, which is no library with an observer",
             path);
  } else if (observer->version != CW_OBSERVER_VERSION) {
    snprintf(sentence, sizeof sentence,
             "the observer of %.300s is of version %u, and this library calls version %u", path,
             observer->version, CW_OBSERVER_VERSION);
    observer = NULL;
  }
  return observer;
}

static bool is_own(const char* word, size_t length) {
  for (const struct cw_own_observer* own = cw_own_observers; own->observer != NULL; ++own) {
    if (is_word(word, length, own->observer->name)) return true;
  }
  return false;
}

/* Appends the observer if the word is a path; else checks that it names an observer of this library. */
static bool take_word(const char* word, size_t length, bool has_directory) {
  char path[4096];
  snprintf(path, sizeof path, "%.*s", (int)length, word);
  if (strchr(path, '/') != NULL) {
    const struct cw_observer* observer = load(path);
    return observer != NULL && append(observer, has_directory);
  }
  if (is_own(word, length)) return true;
  snprintf(sentence, sizeof sentence,
           "COREWISE_OBSERVE lists '%.100s'; expected steer, trace, verify or the path of a library", path);
  return false;
}

const char* cw_dispatch_choose(bool has_directory) {
  const char* wanted = cw_environment("COREWISE_OBSERVE");
  const bool all = wanted == NULL || *wanted == 0;
  active.n = 0;
  for (const struct cw_own_observer* own = cw_own_observers; own->observer != NULL; ++own) {
    if (all ? own->unasked : lists(wanted, own->observer->name)) (void)append(own->observer, has_directory);
  }
  size_t length = 0;
  for (const char* word = all ? "" : wanted; (word = next_word(word, &length)) != NULL; word += length) {
    if (!take_word(word, length, has_directory)) return sentence;
  }
  return NULL;
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
  const struct observers chosen = active;
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
