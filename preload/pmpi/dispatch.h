/* The one place that calls the observers. */
#ifndef COREWISE_PMPI_DISPATCH_H
#define COREWISE_PMPI_DISPATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "observer.h"

/* Chooses the observers that COREWISE_OBSERVE lists (unset or empty: all). False: none is wanted. */
bool cw_dispatch_choose(void);

/* Lets the chosen observers look at the process before MPI_Init changes it. */
void cw_dispatch_prepare(void);

/* Who takes events. */
struct cw_takers {
  bool trace;  /* the tracer, whose path is in the wrappers */
  bool others; /* observers that cw_dispatch_event() calls */
};

/* Starts the chosen observers, with the store open. */
struct cw_takers cw_dispatch_start(void);

/* Hands an event to every observer that takes events but the tracer; called by the thread that made the call.
 */
void cw_dispatch_event(const struct cw_event* event);

/* Hands the members of a communicator's group to every observer that takes groups. */
void cw_dispatch_group(uint64_t id, const int32_t* members, uint32_t n_members);

/* Tells every observer of MPI_Pcontrol. */
void cw_dispatch_region(int32_t level);

/* Lets the started observers write what is left. */
void cw_dispatch_finish(void);

#endif
