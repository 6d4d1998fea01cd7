/* The trace observer: counts every call in rows of the profile (FORMATS.md, "Profile"). */
#ifndef COREWISE_TRACE_TRACE_H
#define COREWISE_TRACE_TRACE_H

#include <stdint.h>

#include "../pmpi/observer.h"

extern const struct cw_observer cw_trace_observer;

/* Communicators in the profile. */

/* Writes the members of a communicator, and the communicator itself if is_listed. Safe in all threads. */
void cw_trace_comm(const struct cw_communicator* comm);

/* Sets the name of a communicator in the file, cut to sizeof cw_profile_comm.name. */
void cw_trace_comm_named(const struct cw_communicator* comm, const char* name);

/* In the mode `events`, records each call (FORMATS.md, "Events"). */

struct cw_row_table;

/* Called after MPI_Init. COREWISE_EVENT_BYTES limits the bytes of events of each rank. */
void cw_events_start(void);

/* Adds a call of the thread that owns `table`. */
void cw_events_add(struct cw_row_table* table, const struct cw_call* call);

/* How much the rows of a thread grew in each window of time and each region of MPI_Pcontrol (FORMATS.md,
 * "Windows"). */

/* Writes what the rows grew by in the window that is over, and sets table->window_end. The first call starts
 * the first window. Call it before counting a call that ended after `window_end`. */
void cw_windows_close(struct cw_row_table* table);

/* The thread of `table` called MPI_Pcontrol with this level; NULL: a thread that has made no other call.
 * Other threads change their region when their window ends. */
void cw_windows_region(struct cw_row_table* table, int32_t level);

#endif
