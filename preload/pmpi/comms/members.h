/* A reference-counted list of world ranks, shared by a communicator and its requests. */
#ifndef COREWISE_PMPI_MEMBERS_H
#define COREWISE_PMPI_MEMBERS_H

#include <stdint.h>

struct cw_members {
  uint32_t n_holders; /* atomic */
  uint32_t n;
  int32_t world[]; /* [rank] -> world rank; -1: outside MPI_COMM_WORLD */
};

/* Returns a list of `n` ranks to be filled in, with one holder; NULL: out of memory. */
struct cw_members* cw_members_new(uint32_t n);

/* Adds a holder: a communicator may be freed while its requests are still active. */
struct cw_members* cw_members_hold(struct cw_members* members);

/* Removes a holder; the last one frees the list. NULL is allowed. */
void cw_members_release(struct cw_members* members);

#endif
