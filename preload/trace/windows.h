/* What the rows of a thread grew by in stretches of time and in regions of MPI_Pcontrol (FORMATS.md,
 * "Windows").
 */
#ifndef COREWISE_TRACE_WINDOWS_H
#define COREWISE_TRACE_WINDOWS_H

#include <stdint.h>

struct cw_row_table;

/* At the first call that ends after `table->window_end`, before it is counted: what the rows have grown by is
 * written for the window that is over. Updates `window_end`; at the first time the windows begin. */
void cw_windows_close(struct cw_row_table* table);

/* MPI_Pcontrol was called with this level by the thread of this table (NULL: it has made no call yet). Other
 * threads continue in the region that they are in until their window ends. */
void cw_windows_region(struct cw_row_table* table, int32_t level);

#endif
