/* The one table of requests: what each handle stands for. Persistent ones are in it always, with the events
 * that each start repeats; all others while observers watch.
 *
 * MPI gives a handle out again once its request is complete, and gives several requests that are complete at
 * once the same one. So a handle has a chain of requests, and means the newest: that is the right one where
 * an older one was completed by a call that we did not see, and any is where all are complete. */
#ifndef COREWISE_PMPI_REQUESTS_H
#define COREWISE_PMPI_REQUESTS_H

#include <stdbool.h>
#include <stdint.h>

#include "observer.h"

struct cw_members;

struct cw_request {
  uint64_t handle; /* as a number */
  bool is_persistent;
  struct cw_operation operation; /* number 0: a persistent one that is not started */
  struct cw_members* members;    /* held: the ranks that a status names; NULL: not needed, or not known */
  uint32_t n_events;
  uint32_t room;
  struct cw_event* events;
  struct cw_request* next_started; /* while a call starts several: the next of them that is known */
  uint32_t position;               /* and where this one is among its arguments */
  struct cw_request* older;        /* of the same handle; of a spare one: the next spare one */
};

/* One that has no handle and no events yet; NULL (a counted fault) when out of memory, and where more are
 * live than any program needs: then they are not waited for. */
struct cw_request* cw_request_new(bool is_persistent);
void cw_request_add(struct cw_request* request, const struct cw_event* event);

/* In place of a persistent one for which there is no memory: its events are dropped, and it is entered
 * nowhere.
 */
extern struct cw_request cw_request_lost;

/* Gives back one that is in no chain. */
void cw_request_free(struct cw_request* request);

/* Another operation of it begins: it gets its own number. */
void cw_request_begin(struct cw_request* request, uint64_t ticks);

/* All of them are safe in all threads; a request that one thread uses may not be freed by another. */

/* May two threads be in MPI at the same time? Where they may not, the table takes no lock. True at first. */
void cw_requests_share(bool shared);

/* Enters a new request, or an entered one whose handle changed, under `handle`. What earlier requests of a
 * persistent one's handle left is freed. */
void cw_requests_enter(struct cw_request* request, uint64_t handle);

/* The newest of that handle; NULL: there is none. */
struct cw_request* cw_requests_find(uint64_t handle);

/* Takes the newest of that handle out; NULL: there is none. */
struct cw_request* cw_requests_take(uint64_t handle);

/* How many operations have begun so far: the greatest number of one. */
uint64_t cw_requests_begun(void);

/* The request of that handle whose operation a call has completed that came when `begun` operations had
 * begun. What began later is another one: MPI gave the handle out again before we came here. Taken out unless
 * it is persistent; NULL: there is none, or it was not started. */
struct cw_request* cw_requests_complete(uint64_t handle, uint64_t begun);

/* How many there are, of all handles. */
uint64_t cw_requests_live(void);

#endif
