/* See extent.h. */
#define _GNU_SOURCE
#include "extent.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

void* cw_extent_map(int fd, uint64_t offset, uint64_t bytes) {
  const uint64_t before = offset % (uint64_t)sysconf(_SC_PAGESIZE);
  char* at = mmap(NULL, bytes + before, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)(offset - before));
  return at == MAP_FAILED ? NULL : at + before;
}

bool cw_extent_may_end_at(uint64_t end) {
  struct rlimit limit;
  return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || end <= limit.rlim_cur;
}

/* Returns 0 or an errno. If the file system can't reserve space, posix_fallocate(3) writes zeros instead,
 * which would overwrite data of another process: set `emulates` only if the bytes belong to this process. */
static int reserve(int fd, uint64_t offset, uint64_t bytes, bool emulates) {
  int failed = EINTR;
  if (!cw_extent_may_end_at(offset + bytes)) return EFBIG;
  for (int i = 0; i < 8 && failed == EINTR; ++i) {
    if (emulates)
      failed = posix_fallocate(fd, (off_t)offset, (off_t)bytes);
    else
      failed = fallocate(fd, 0, (off_t)offset, (off_t)bytes) == 0 ? 0 : errno;
  }
  return failed;
}

/* Takes bytes at the end of the file; false: no space. Reserving precedes raising `next`, so that the file
 * never ends before `next`. If several processes reserve the same bytes, one of them gets them. */
static bool take(int fd, _Atomic uint64_t* next, uint64_t bytes, uint64_t* offset) {
  int failed;
  *offset = atomic_load(next);
  do {
    failed = reserve(fd, *offset, bytes, false);
  } while (failed == 0 && !atomic_compare_exchange_strong(next, offset, *offset + bytes));
  if (failed != EOPNOTSUPP) return failed == 0;
  *offset = atomic_fetch_add(next, bytes);
  if (reserve(fd, *offset, bytes, true) == 0) return true;
  uint64_t end = *offset + bytes;
  (void)atomic_compare_exchange_strong(next, &end, *offset); /* return them, unless others took more since */
  return false;
}

/* Writes to each page. MAP_POPULATE would only read: the first write would then fault again. */
static void touch(volatile char* at, uint64_t bytes) {
  const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
  for (uint64_t i = 0; i < bytes; i += page) at[i] = 0;
}

bool cw_extent_take(struct cw_extent* extent, int fd, uint64_t* next_free, uint64_t bytes) {
  uint64_t offset;
  if (!take(fd, (_Atomic uint64_t*)next_free, bytes, &offset)) return false;
  char* at = cw_extent_map(fd, offset, bytes);
  if (at == NULL) return false;
  touch(at, bytes);
  *extent = (struct cw_extent){at, offset, bytes};
  return true;
}

void* cw_extent_cut(struct cw_extent* extent, uint64_t bytes, uint64_t* offset) {
  if (extent->bytes < bytes) return NULL;
  char* cut = extent->at;
  *offset = extent->offset;
  *extent = (struct cw_extent){cut + bytes, *offset + bytes, extent->bytes - bytes};
  return cut;
}
