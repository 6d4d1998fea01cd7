/* The memory of this process, brought after it to another NUMA node, some pages at a time.
 *
 * Each process moves its own pages: nobody needs rights over another one, and what it costs is its own. */
#ifndef COREWISE_STEER_PAGES_H
#define COREWISE_STEER_PAGES_H

#include <stdbool.h>
#include <stdint.h>

/* A walk through the private, writable memory; all zero before the first. */
struct cw_page_walk {
  bool active;
  int node;          /* OS number of the NUMA node that pages go to */
  uintptr_t at;      /* addresses below are done */
  int64_t n_moved;   /* pages, of all walks */
  int64_t n_refused; /* pages that the kernel left where they are */
};

/* Whether the kernel lets this process move its own pages: some containers forbid it. */
bool cw_pages_may_move(void);

/* OS number of the NUMA node that the caller runs on; -1 where the kernel does not tell. */
int cw_pages_node_here(void);

/* Starts again, towards `node`. */
void cw_page_walk_begin(struct cw_page_walk* walk, int node);

/* Moves at most `most_pages` pages and examines 8 times as many. The walk ends (active: false) after the
 * last page, and where the kernel refuses the call. */
void cw_page_walk_step(struct cw_page_walk* walk, int64_t most_pages);

#endif
