/* How much the rows of a thread grew in each window of time and each region of MPI_Pcontrol (FORMATS.md,
 * "Windows"). */
#ifndef COREWISE_TRACE_WINDOWS_H
#define COREWISE_TRACE_WINDOWS_H

#include <stdint.h>

struct cw_row_table;

/* Writes what the rows grew by in the window that is over, and sets table->window_end. The first call starts
 * the first window. Call it before counting a call that ended after `window_end`. */
void cw_windows_close(struct cw_row_table* table);

/* The thread of `table` called MPI_Pcontrol with this level; NULL: a thread that has made no other call.
 * Other threads change their region when their window ends. */
void cw_windows_region(struct cw_row_table* table, int32_t level);

#endif
