/* Saves this library's variables in memory and removes them from the environment. */
#define _GNU_SOURCE
#include "environment.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

extern char** environ;

/* Other COREWISE_* variables, such as COREWISE_AFFINITY, are for libraries that the program itself calls. */
static const char* const own_names[] = {"COREWISE_DIR",   "COREWISE_EVENT_BYTES",    "COREWISE_JOB",
                                        "COREWISE_MODE",  "COREWISE_OBSERVE",        "COREWISE_SPAWNED",
                                        "COREWISE_STEER", "COREWISE_STEER_PROGRESS", "COREWISE_STEER_SHARED",
                                        "LD_PRELOAD"};
enum { kNames = sizeof own_names / sizeof *own_names };

static char* taken[kNames + 1];
static bool is_taken;

const char* cw_environment(const char* name) {
  const size_t length = strlen(name);
  for (char* const* each = taken; *each != NULL; ++each) {
    if (strncmp(*each, name, length) == 0 && (*each)[length] == '=') return *each + length + 1;
  }
  return getenv(name);
}

char* const* cw_environment_taken(void) { return is_taken ? taken : NULL; }

/* LD_PRELOAD, a list separated by colons or spaces, without the entry of this library. */
static char* without_this_library(const char* entries) {
  Dl_info own;
  char* const rest = calloc(strlen(entries) + 1, 1);
  if (rest == NULL || dladdr((void*)cw_environment_take, &own) == 0) return rest;
  const size_t own_length = strlen(own.dli_fname);
  /* corewise-bind put the entry in front. The rest is the user's and must stay as written. */
  if (strncmp(entries, own.dli_fname, own_length) == 0 && entries[own_length] == ':')
    return strcpy(rest, entries + own_length + 1);
  size_t n = 0;
  for (const char* entry = entries; *entry != '\0';) {
    const size_t length = strcspn(entry, ": ");
    if (length > 0 && (length != own_length || strncmp(entry, own.dli_fname, length) != 0)) {
      if (n > 0) rest[n++] = ':';
      memcpy(rest + n, entry, length);
      n += length;
    }
    entry += length + (entry[length] != '\0');
  }
  return rest;
}

static bool save_all(void) {
  int n = 0;
  for (int i = 0; i < kNames; ++i) {
    const char* const value = getenv(own_names[i]);
    if (value == NULL) continue;
    const size_t length = strlen(own_names[i]);
    char* const text = malloc(length + 1 + strlen(value) + 1);
    if (text == NULL) {
      while (n > 0) free(taken[--n]), taken[n] = NULL;
      return false;
    }
    memcpy(text, own_names[i], length);
    text[length] = '=';
    strcpy(text + length + 1, value);
    taken[n++] = text;
  }
  return true;
}

void cw_environment_take(void) {
  if (is_taken || environ == NULL || !save_all()) return;
  is_taken = true;
  const char* const preloaded = getenv("LD_PRELOAD");
  char* const rest = preloaded == NULL ? NULL : without_this_library(preloaded);
  for (int i = 0; i < kNames; ++i) unsetenv(own_names[i]);
  if (rest != NULL && *rest != '\0') setenv("LD_PRELOAD", rest, 1);
  free(rest);
}
