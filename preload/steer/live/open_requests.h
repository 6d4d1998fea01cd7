/* Requests of this process that are under way: bytes not sent yet, and the age of the oldest. */
#ifndef COREWISE_STEER_OPEN_REQUESTS_H
#define COREWISE_STEER_OPEN_REQUESTS_H

#include <stdbool.h>

#include "../../pmpi/observer.h"
#include "snapshot.h"

/* Operations that a call began and ended. */
void cw_open_requests_add(const struct cw_call* call);

/* Whether a send is under way. */
bool cw_open_requests_unsent(void);

/* Fills unsent_bytes, the most since the last time, and request_age_ns, as of now. */
void cw_open_requests_read(struct cw_rank_sample* rank, double ticks_per_ns);

#endif
