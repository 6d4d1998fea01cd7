/* Finds the observers that COREWISE_OBSERVE lists, and calls their functions. */
#ifndef COREWISE_PMPI_DISPATCH_H
#define COREWISE_PMPI_DISPATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "observer.h"

/* An observer of this library. */
struct cw_own_observer {
  const struct cw_observer* observer;
  bool unasked; /* called by default */
};

/* The register of ../register.c, in calling order; the last row is empty. It can't be in this folder, which
 * must not depend on the observers. */
extern const struct cw_own_observer cw_own_observers[];

/* Makes the observers in COREWISE_OBSERVE active: a comma-separated list; NULL or empty means the default. A
 * name stands for an observer of this library, a path with a slash for one of another library. Without a
 * directory, observers that need the store are left out. Returns NULL, or a sentence about those that are not
 * available. */
const char* cw_dispatch_choose(bool has_directory);

/* Is no observer active? */
bool cw_dispatch_is_empty(void);

/* Does an active observer write to the profile? */
bool cw_dispatch_needs_store(void);

/* Called before MPI_Init. */
void cw_dispatch_prepare(void);

/* Does an active observer have a thread that calls MPI? */
bool cw_dispatch_has_mpi_thread(void);

/* What the wrappers must do at each call. */
struct cw_takers {
  bool watch;  /* call cw_dispatch_before() and cw_dispatch_after() */
  bool counts; /* fill in `counts` of every call */
};

/* Starts the active observers. If the store is not open, those that need it become inactive. */
struct cw_takers cw_dispatch_start(bool store_is_open);

/* Before and after a watched call, on the thread that makes it. */
void cw_dispatch_before(const struct cw_call* call);
void cw_dispatch_after(const struct cw_call* call);

/* Reports a new communicator. */
void cw_dispatch_communicator(const struct cw_communicator* comm);

/* Reports the name of a communicator. */
void cw_dispatch_name(const struct cw_communicator* comm, const char* name);

/* Reports MPI_Pcontrol. */
void cw_dispatch_region(int32_t level);

/* Called at the start of MPI_Finalize. */
void cw_dispatch_finish(void);

#endif
