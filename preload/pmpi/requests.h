/* Persistent requests and their templates: the events that each start of a request repeats. */
#ifndef COREWISE_PMPI_REQUESTS_H
#define COREWISE_PMPI_REQUESTS_H

#include <stdbool.h>
#include <stdint.h>

#include "observer.h"

struct cw_request_template;

/* An empty template; NULL when out of memory. */
struct cw_request_template* cw_request_template_new(void);
void cw_request_template_add(struct cw_request_template* request_template, const struct cw_event* event);

/* Gives a request (its handle as a number) its template, which is freed with it. A template that an earlier
 * request of the same handle left is freed now. */
void cw_requests_insert(uint64_t request, struct cw_request_template* request_template);
void cw_requests_remove(uint64_t request);

/* Calls `visit` for each event of the request's template. False: it has none. Safe in all threads: a request
 * that one thread starts may not be freed by another. */
bool cw_requests_visit(uint64_t request, void (*visit)(const struct cw_event* event, void* context),
                       void* context);

#endif
