/* Table of requests by handle. It contains the persistent requests, with the events to repeat at each start,
 * and all other requests while observers watch calls.
 *
 * MPI reuses the handle of a completed request, and may give the same handle to several requests that are
 * complete from the start. So a handle has a chain of requests, and stands for the newest. That is correct if
 * an older one was completed by a call that this library does not wrap, and irrelevant if all are complete.
 *
 * States of a request:
 *   new      cw_request_new(): outside the table; takes events if it is persistent
 *   idle     persistent, in the table, operation.number is 0
 *   active   in the table, operation.number > 0: cw_request_begin(), then cw_requests_enter()
 *   done     cw_requests_complete(): a persistent one is idle again, others leave the table
 *   spare    cw_request_free(): kept for the next cw_request_new() */
#ifndef COREWISE_PMPI_REQUESTS_H
#define COREWISE_PMPI_REQUESTS_H

#include <stdbool.h>
#include <stdint.h>

#include "observer.h"

struct cw_members;

struct cw_request {
  uint64_t handle; /* see cw_request_number() */
  bool is_persistent;
  struct cw_operation operation; /* number 0: a persistent request that is not started */
  struct cw_members* members;    /* to translate the rank in a status; NULL: not needed, or unknown */
  uint32_t n_events;
  uint32_t room;
  struct cw_event* events;
  struct cw_request* next_started; /* during MPI_Startall: the next known request among its arguments */
  uint32_t position;               /* during MPI_Startall: index among its arguments */
  struct cw_request* older;        /* next in the chain of a handle, or in the list of spare requests */
};

/* A request without handle and events. NULL if memory runs out, or if an unreasonable number of requests is
 * live; the fault is counted. */
struct cw_request* cw_request_new(bool is_persistent);
void cw_request_add(struct cw_request* request, const struct cw_event* event);

/* Takes the place of a persistent request for which there is no memory. Its events are dropped. */
extern struct cw_request cw_request_lost;

/* Frees a request that is in no chain. */
void cw_request_free(struct cw_request* request);

/* Starts a new operation of the request, with its own number. */
void cw_request_begin(struct cw_request* request, uint64_t ticks);

/* All these functions are safe in all threads. A request that one thread uses may not be freed by another. */

/* Can two threads be in MPI at the same time? If not, the table takes no lock. Initially true. */
void cw_requests_share(bool shared);

/* Enters a new request, or one whose handle changed, under `handle`. For a persistent request, first frees
 * outdated requests of that handle. */
void cw_requests_enter(struct cw_request* request, uint64_t handle);

/* The newest request of the handle; NULL: none. */
struct cw_request* cw_requests_find(uint64_t handle);

/* Removes the newest request of the handle and returns it; NULL: none. */
struct cw_request* cw_requests_take(uint64_t handle);

/* Number of operations so far, which is the greatest operation number. */
uint64_t cw_requests_begun(void);

/* The request of the handle whose operation was completed by a call that started after `begun` operations.
 * Newer operations are ignored: MPI reused the handle meanwhile, on another thread. Removed from the table
 * unless it is persistent. NULL: none, or not started. */
struct cw_request* cw_requests_complete(uint64_t handle, uint64_t begun);

/* Number of live requests. */
uint64_t cw_requests_live(void);

#endif
