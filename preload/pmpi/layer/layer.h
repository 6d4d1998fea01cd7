/* Starts and ends the recording together with MPI. */
#ifndef COREWISE_PMPI_LAYER_H
#define COREWISE_PMPI_LAYER_H

#include <stdbool.h>

/* Call these at the start of MPI_Init, after its success, and at the start of MPI_Finalize. */
void cw_layer_prepare(void);
void cw_layer_start(void);
void cw_layer_finish(void);

/* After cw_layer_prepare(): the thread level to request from MPI if the program requests `asked`. */
int cw_layer_thread_level(int asked);

/* For programs with sessions, call cw_layer_prepare() before the first MPI_Session_init, the first function
 * after it, and the second one before the last MPI_Session_finalize. No effect between MPI_Init and
 * MPI_Finalize. MPI_Init ends recording that a session started, then starts it again. All starts of a process
 * write to the same record of its rank. */
void cw_layer_start_by_session(void);
void cw_layer_finish_by_session(void);

#endif
