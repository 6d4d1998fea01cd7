/* Migrates the memory of this process to another NUMA node, some pages at a time. A process moves only its
 * own pages, which needs no rights over other processes. */
#ifndef COREWISE_STEER_PAGES_H
#define COREWISE_STEER_PAGES_H

#include <stdbool.h>
#include <stdint.h>

/* State of a migration through all private, writable memory; initially all zero. */
struct cw_page_walk {
  bool active;
  int node;          /* OS number of the destination */
  uintptr_t at;      /* addresses below are done */
  int64_t n_moved;   /* pages moved in all migrations */
  int64_t n_refused; /* pages that the kernel did not move */
};

/* Does the kernel let this process move its own pages? Some containers forbid it. */
bool cw_pages_may_move(void);

/* OS number of the NUMA node that the caller runs on; -1: unknown. */
int cw_pages_node_here(void);

/* Starts a new migration to `node`. */
void cw_page_walk_begin(struct cw_page_walk* walk, int node);

/* Moves at most `most_pages` pages and examines at most 8 times as many. The migration ends (active: false)
 * after the last page, or if the kernel refuses the call. */
void cw_page_walk_step(struct cw_page_walk* walk, int64_t most_pages);

#endif
