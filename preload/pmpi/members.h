/* A list of world ranks that a communicator and the requests of it share. */
#ifndef COREWISE_PMPI_MEMBERS_H
#define COREWISE_PMPI_MEMBERS_H

#include <stdint.h>

struct cw_members {
  uint32_t n_holders; /* by atomic operations */
  uint32_t n;
  int32_t world[]; /* [rank] -> world rank; -1: outside MPI_COMM_WORLD */
};

/* Of `n` ranks that are not filled in, with one holder; NULL when out of memory. */
struct cw_members* cw_members_new(uint32_t n);

/* One holder more. MPI lets go of a communicator while its requests are under way. */
struct cw_members* cw_members_hold(struct cw_members* members);

/* One holder less: the last one frees it. Nothing for NULL. */
void cw_members_release(struct cw_members* members);

#endif
