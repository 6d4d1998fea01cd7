/* An extent: a part of the profile's file that one process reserved, mapped and touched in advance. */
#ifndef COREWISE_STORE_EXTENT_H
#define COREWISE_STORE_EXTENT_H

#include <stdbool.h>
#include <stdint.h>

struct cw_extent {
  char* at;        /* unused rest of the extent; NULL: none */
  uint64_t offset; /* of the rest, in the file */
  uint64_t bytes;  /* of the rest */
};

/* May a file grow to this size? Growing beyond RLIMIT_FSIZE would send SIGXFSZ. */
bool cw_extent_may_end_at(uint64_t end);

/* Maps [offset, offset + bytes) of the file; `offset` need not be a multiple of the page size. NULL:
 * failed. */
void* cw_extent_map(int fd, uint64_t offset, uint64_t bytes);

/* Reserves `bytes` at *next_free, which other processes raise too, then maps and touches them: a later write
 * can neither fail on a full disk (SIGBUS) nor cause a page fault. False: no space. */
bool cw_extent_take(struct cw_extent* extent, int fd, uint64_t* next_free, uint64_t bytes);

/* Cuts zeroed bytes off the front of the extent and sets their offset in the file. NULL: fewer are left. */
void* cw_extent_cut(struct cw_extent* extent, uint64_t bytes, uint64_t* offset);

#endif
