/* Processes outside MPI_COMM_WORLD that this one is connected with: those that it spawned, that spawned it,
 * or that it met by MPI_Comm_accept and MPI_Comm_connect. Each has a number, from 0 on, that only this
 * process knows it by. The profile says where numbers come from; a reader that has the profile of both sides
 * finds out whose they are. Nothing is sent. */
#ifndef COREWISE_PMPI_OUTSIDE_H
#define COREWISE_PMPI_OUTSIDE_H

#include <corewise_formats/profile.h>
#include <stdbool.h>
#include <stdint.h>

#include "mpi_symbols.h"

/* Before a call that connects, in the thread that makes it: its begin is one of what tells connections
 * apart. MPI_Init is such a call for spawned processes. */
void cw_outside_begin(void);

/* After it: the remote group of the inter-communicator `made` gets numbers, and the profile a record. `id` as
 * in cw_profile_connection; `is_root`: this process spawned, accepted or connected for its side. After 1024
 * of them, and without memory, no more are kept: what is sent to their processes is a counted fault. */
void cw_outside_connect(enum cw_profile_connection_kind kind, uint64_t id, bool is_root, MPI_Comm made);

/* The numbers of `n` members of a group, -1 for those without; to be freed. NULL: none has one. */
int32_t* cw_outside_numbers(MPI_Group members, uint32_t n);

void cw_outside_finish(void);

#endif
