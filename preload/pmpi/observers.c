/* See observers.h. */
#include "observers.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static char sentence[512];

/* False if there are too many; sets `sentence`. */
static bool append(struct cw_observers* list, const struct cw_observer* observer, bool has_directory) {
  if (!has_directory && observer->needs_store) return true;
  if (list->n == CW_MOST_OBSERVERS) {
    snprintf(sentence, sizeof sentence, "COREWISE_OBSERVE lists more than %d observers", CW_MOST_OBSERVERS);
    return false;
  }
  list->at[list->n++] = observer;
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
static bool take_word(const char* word, size_t length, bool has_directory, struct cw_observers* chosen) {
  char path[4096];
  snprintf(path, sizeof path, "%.*s", (int)length, word);
  if (strchr(path, '/') != NULL) {
    const struct cw_observer* observer = load(path);
    return observer != NULL && append(chosen, observer, has_directory);
  }
  if (is_own(word, length)) return true;
  snprintf(sentence, sizeof sentence,
           "COREWISE_OBSERVE lists '%.100s'; expected steer, trace, verify or the path of a library", path);
  return false;
}

const char* cw_observers_choose(const char* wanted, bool has_directory, struct cw_observers* chosen) {
  const bool all = wanted == NULL || *wanted == 0;
  chosen->n = 0;
  for (const struct cw_own_observer* own = cw_own_observers; own->observer != NULL; ++own) {
    if (all ? own->unasked : lists(wanted, own->observer->name))
      (void)append(chosen, own->observer, has_directory);
  }
  size_t length = 0;
  for (const char* word = all ? "" : wanted; (word = next_word(word, &length)) != NULL; word += length) {
    if (!take_word(word, length, has_directory, chosen)) return sentence;
  }
  return NULL;
}
