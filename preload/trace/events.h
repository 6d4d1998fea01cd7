/* Calls as events, where the mode asks for each of them (FORMATS.md, "Events"). */
#ifndef COREWISE_TRACE_EVENTS_H
#define COREWISE_TRACE_EVENTS_H

struct cw_call;
struct cw_row_table;

/* After MPI_Init: how much of them is kept is what COREWISE_EVENT_BYTES says, for each rank. */
void cw_events_start(void);

/* A call of the thread of this table. */
void cw_events_add(struct cw_row_table* table, const struct cw_call* call);

#endif
