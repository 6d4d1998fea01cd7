/* Finds the observers that COREWISE_OBSERVE lists. */
#ifndef COREWISE_PMPI_OBSERVERS_H
#define COREWISE_PMPI_OBSERVERS_H

#include <stdbool.h>

#include "observer.h"

enum { CW_MOST_OBSERVERS = 16 };

/* Observers in calling order. */
struct cw_observers {
  const struct cw_observer* at[CW_MOST_OBSERVERS];
  int n;
};

/* Sets `chosen` from the comma-separated list `wanted`; NULL or empty means the default. A name stands for an
 * observer of this library, a path with a slash for one of another library. Without a directory, observers
 * that need the store are left out. Returns NULL, or a sentence about those that are not available. */
const char* cw_observers_choose(const char* wanted, bool has_directory, struct cw_observers* chosen);

/* An observer of this library. */
struct cw_own_observer {
  const struct cw_observer* observer;
  bool unasked; /* called by default */
};

/* The register of ../register.c, in calling order; the last row is empty. It can't be in this folder, which
 * must not depend on the observers. */
extern const struct cw_own_observer cw_own_observers[];

#endif
