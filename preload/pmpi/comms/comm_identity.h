/* Ids of communicators. All members compute the same id without sending a message. */
#ifndef COREWISE_PMPI_COMM_IDENTITY_H
#define COREWISE_PMPI_COMM_IDENTITY_H

#include <stddef.h>
#include <stdint.h>

enum { CW_COMM_WORLD_ID = 1 };

/* Only communicators up to this place (see below) are listed in the profile. Rows name later ones by their
 * members instead, because a program may create communicators in a loop. */
enum { CW_LISTED_COMMS = 1024 };

/* Place of a communicator in creation order, the same on all its members: the parent's place (0: none, or
 * MPI_COMM_WORLD), plus the number `n_before` of communicators that the parent created before, plus 1. So a
 * chain of duplicates reaches the limit, too. */
uint32_t cw_comm_place(uint32_t parent, uint64_t n_before);

/* A hash of the ordered list of members. */
uint64_t cw_members_hash(const int32_t* members, uint32_t n_members);

/* Hash of a text without trailing blanks: the same for a C string and a padded Fortran string. */
uint64_t cw_text_hash(const char* text, size_t n);

/* Id of a communicator from its parent's id (0: none), the number `order` of communicators that the parent
 * created before, and the hash of the members. All processes of a parent create its communicators in the same
 * order (MPI 3.1, 5.12), so they agree on `order`; the members distinguish the parts of a split. Never 0. */
uint64_t cw_comm_id(uint64_t parent, uint64_t order, uint64_t members);

/* Hash of the two sides of an inter-communicator, symmetric in them. */
uint64_t cw_sides_hash(uint64_t local, uint64_t remote);

/* Returns how often `key` was counted before in this process, and counts it. For communicators that are
 * created without the rest of the parent (MPI_Comm_create_group, MPI_Intercomm_create): the key is made of
 * what all their members know. Returns 0 and counts a fault if memory runs out. Safe in all threads. */
uint32_t cw_count_occurrence(uint64_t key);

#endif
