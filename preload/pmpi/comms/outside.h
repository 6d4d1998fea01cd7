/* Processes outside MPI_COMM_WORLD that this process is connected to: those that it spawned, its parents, and
 * those of MPI_Comm_accept and MPI_Comm_connect. Each gets a number, from 0, that is valid in this process
 * only. The profile records the connections; a reader with the profiles of both sides matches the numbers to
 * processes. Nothing is sent. */
#ifndef COREWISE_PMPI_OUTSIDE_H
#define COREWISE_PMPI_OUTSIDE_H

#include <corewise_formats/profile.h>
#include <stdbool.h>
#include <stdint.h>

#include "calls/mpi_symbols.h"

/* Called before a call that connects, on its thread. The start time is recorded, to tell connections apart.
 * For a spawned process, MPI_Init is such a call. */
void cw_outside_begin(void);

/* Called after that call. Numbers the remote group of the inter-communicator `made` and writes a record.
 * `id`: see cw_profile_connection. `is_root`: this process spawned, accepted or connected for its side. After
 * 1024 connections, or without memory, nothing is kept, and messages to these processes are counted
 * faults. */
void cw_outside_connect(enum cw_profile_connection_kind kind, uint64_t id, bool is_root, MPI_Comm made);

/* The numbers of the `n` members of a group, -1 for those without. The caller frees them. NULL: none has
 * one. */
int32_t* cw_outside_numbers(MPI_Group members, uint32_t n);

void cw_outside_finish(void);

#endif
