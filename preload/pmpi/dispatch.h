/* The one place that calls the observers. */
#ifndef COREWISE_PMPI_DISPATCH_H
#define COREWISE_PMPI_DISPATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "observer.h"

/* Chooses the observers that COREWISE_OBSERVE lists (see observers.h). NULL, or one sentence about what could
 * not be had. */
const char* cw_dispatch_choose(bool has_directory);

/* Is none chosen? */
bool cw_dispatch_is_empty(void);

/* Does a chosen one need the store? */
bool cw_dispatch_needs_store(void);

/* Lets the chosen observers look at the process before MPI_Init changes it. */
void cw_dispatch_prepare(void);

/* Has a chosen one a thread that will call MPI? */
bool cw_dispatch_has_mpi_thread(void);

/* Lets the chosen observers make their collective calls. `able`: nothing has gone wrong so far. */
void cw_dispatch_exchange(bool able);

/* What is to be done at each call. */
struct cw_takers {
  bool watch;  /* observers have functions that cw_dispatch_before() or cw_dispatch_after() call */
  bool counts; /* one of those needs `counts` of every call */
};

/* Starts the chosen observers; where the store is not open, those that need it are left out from here on. */
struct cw_takers cw_dispatch_start(bool store_is_open);

/* Around a watched call, by the thread that makes it. */
void cw_dispatch_before(const struct cw_call* call);
void cw_dispatch_after(const struct cw_call* call);

/* Hands a communicator to every observer that takes them. */
void cw_dispatch_communicator(const struct cw_communicator* comm);

/* Tells every observer what a communicator is called. */
void cw_dispatch_name(const struct cw_communicator* comm, const char* name);

/* Tells every observer of MPI_Pcontrol. */
void cw_dispatch_region(int32_t level);

/* Lets the started observers write what is left. */
void cw_dispatch_finish(void);

#endif
