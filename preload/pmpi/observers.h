/* Which observers COREWISE_OBSERVE asks for. */
#ifndef COREWISE_PMPI_OBSERVERS_H
#define COREWISE_PMPI_OBSERVERS_H

#include <stdbool.h>

#include "observer.h"

enum { CW_MOST_OBSERVERS = 16 };

/* Some observers, in the order in which they are called. */
struct cw_observers {
  const struct cw_observer* at[CW_MOST_OBSERVERS];
  int n;
};

/* Those that `wanted` lists, comma-separated (NULL or empty: trace and verify): names of this library's,
 * in their order here, then those of other libraries, given by a path with a slash, in the order of the list.
 * Without a directory only those that need no store. NULL, or one sentence about what could not be had. */
const char* cw_observers_choose(const char* wanted, bool has_directory, struct cw_observers* chosen);

/* An observer of this library. */
struct cw_own_observer {
  const struct cw_observer* observer;
  bool unasked; /* called where COREWISE_OBSERVE lists none */
};

/* The register, in the order in which they are called; the last row is empty. In ../register.c, because the
 * observers use this room: it can't name them. */
extern const struct cw_own_observer cw_own_observers[];

#endif
