/* In the mode `events`, records each call (FORMATS.md, "Events"). */
#ifndef COREWISE_TRACE_EVENTS_H
#define COREWISE_TRACE_EVENTS_H

struct cw_call;
struct cw_row_table;

/* Called after MPI_Init. COREWISE_EVENT_BYTES limits the bytes of events of each rank. */
void cw_events_start(void);

/* Adds a call of the thread that owns `table`. */
void cw_events_add(struct cw_row_table* table, const struct cw_call* call);

#endif
