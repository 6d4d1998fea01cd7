/* Persistent requests: the events that each start of one repeats. */
#ifndef COREWISE_PMPI_REQUESTS_H
#define COREWISE_PMPI_REQUESTS_H

#include <stdbool.h>
#include <stdint.h>

#include "observer.h"

struct cw_request {
  uint64_t handle; /* as a number */
  uint32_t n_events;
  uint32_t room;
  struct cw_event* events;
  struct cw_request* next_started; /* while a call starts several: the next of them that is known */
  uint32_t position;               /* and where this one stands among its arguments */
};

/* One that has no handle and no events yet; NULL (a counted fault) when out of memory. */
struct cw_request* cw_request_new(void);
void cw_request_add(struct cw_request* request, const struct cw_event* event);

/* All of them are safe in all threads; a request that one thread uses may not be freed by another. */

/* Enters a new request, or an entered one whose handle changed, under `handle`. What an earlier request of
 * the same handle left is freed. */
void cw_requests_enter(struct cw_request* request, uint64_t handle);

/* NULL: none of that handle. */
struct cw_request* cw_requests_find(uint64_t handle);

/* Frees the request of that handle, if there is one. */
void cw_requests_remove(uint64_t handle);

#endif
