/* A stretch of the profile's file that one process has reserved, mapped and touched before it needs it. */
#ifndef COREWISE_STORE_EXTENT_H
#define COREWISE_STORE_EXTENT_H

#include <stdbool.h>
#include <stdint.h>

struct cw_extent {
  char* at;        /* what is left of it in memory; NULL: nothing */
  uint64_t offset; /* where that lies in the file */
  uint64_t bytes;  /* how much that is */
};

/* Whether a file may grow to that many bytes: growing past RLIMIT_FSIZE would send SIGXFSZ. */
bool cw_extent_may_end_at(uint64_t end);

/* Maps [offset, offset + bytes) of the file, whatever the page size; NULL if that fails. */
void* cw_extent_map(int fd, uint64_t offset, uint64_t bytes);

/* Reserves the next `bytes` of the file, takes them by adding to `next_free`, maps them and writes to each
 * page once, so that neither a full disk (SIGBUS) nor a page fault meets the call that fills them. False:
 * no room. */
bool cw_extent_take(struct cw_extent* extent, int fd, uint64_t* next_free, uint64_t bytes);

/* The first `bytes` that are left, zeroed, with their place in the file; NULL if fewer are left. */
void* cw_extent_cut(struct cw_extent* extent, uint64_t bytes, uint64_t* offset);

#endif
