/* Persistent requests: the events to count at each start. */
#ifndef COREWISE_PMPI_REQUESTS_H
#define COREWISE_PMPI_REQUESTS_H

#include <stdbool.h>
#include <stdint.h>

#include "observer.h"

/* Events of one request, while and after it is made. NULL when out of memory. */
struct cw_recipe* cw_recipe_new(void);
void cw_recipe_add(struct cw_recipe* recipe, const struct cw_event* event);

/* Gives the recipe to a request (its handle as a number); an older one of the same handle is freed. */
void cw_requests_keep(uint64_t request, struct cw_recipe* recipe);
void cw_requests_drop(uint64_t request);

/* Calls `visit` for each event of the request. False: not a request that was kept. Safe in all threads: a
 * started request may not be freed by another thread. */
bool cw_requests_visit(uint64_t request, void (*visit)(const struct cw_event* event, void* context),
                       void* context);

#endif
