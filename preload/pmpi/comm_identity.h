/* Ids of communicators: every member computes the same one by itself, without a message. */
#ifndef COREWISE_PMPI_COMM_IDENTITY_H
#define COREWISE_PMPI_COMM_IDENTITY_H

#include <stddef.h>
#include <stdint.h>

enum { CW_COMM_WORLD_ID = 1 }; /* of MPI_COMM_WORLD in every job */

/* Rows name communicators up to this place by their own ids, and those after them by their members: a program
 * may make them in a loop. */
enum { CW_LISTED_COMMS = 1024 };

/* Of a communicator in the line of its parents, which its members know alike: that of its parent (0:
 * MPI_COMM_WORLD, or none), and one more for itself and for each of the `n_before` that were made before it.
 * A duplicate of a duplicate is one place further, too. */
uint32_t cw_comm_place(uint32_t parent, uint64_t n_before);

/* A hash of the ordered list of members. */
uint64_t cw_members_hash(const int32_t* members, uint32_t n_members);

/* Of a text without the blanks at its end, so that Fortran's is C's. */
uint64_t cw_text_hash(const char* text, size_t n);

/* What identifies a communicator: its parent's id (0: none), how many were made before it, and the hash of
 * its members. All processes of a parent take part in whatever is made from it, in one order (MPI 3.1, 5.12),
 * so that they count alike; of what the parent is split into, members differ. Never 0. */
uint64_t cw_comm_id(uint64_t parent, uint64_t order, uint64_t members);

/* Of the two sides of an inter-communicator, the same for both. */
uint64_t cw_sides_hash(uint64_t local, uint64_t remote);

/* How often `key` was counted before in this process. For communicators that only their own members make
 * together (MPI_Comm_create_group, MPI_Intercomm_create): the key is what these members know alike. 0, and a
 * counted fault, where memory is out. Safe in all threads. */
uint32_t cw_count_occurrence(uint64_t key);

#endif
