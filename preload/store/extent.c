/* Reserving, mapping and touching stretches of the profile's file. */
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

/* Growing past RLIMIT_FSIZE would send SIGXFSZ, so that is asked first. */
static bool reserve(int fd, uint64_t offset, uint64_t bytes) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
      offset + bytes > limit.rlim_cur)
    return false;
  int failed = EINTR;
  for (int i = 0; i < 8 && failed == EINTR; ++i) failed = posix_fallocate(fd, (off_t)offset, (off_t)bytes);
  return failed == 0;
}

/* By writing: MAP_POPULATE reads, and the first write to a page of a file faults again. */
static void touch(volatile char* at, uint64_t bytes) {
  const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
  for (uint64_t i = 0; i < bytes; i += page) at[i] = 0;
}

bool cw_extent_take(struct cw_extent* extent, int fd, uint64_t* next_free, uint64_t bytes) {
  _Atomic uint64_t* next = (_Atomic uint64_t*)next_free;
  const uint64_t offset = atomic_fetch_add(next, bytes);
  char* at = reserve(fd, offset, bytes) ? cw_extent_map(fd, offset, bytes) : NULL;
  if (at == NULL) {
    uint64_t end = offset + bytes;
    (void)atomic_compare_exchange_strong(next, &end, offset); /* given back where it is the last */
    return false;
  }
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
