/* See store.h. */
#define _GNU_SOURCE
#include "store.h"

#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "extent.h"
#include "host_file.h"

enum { kLeastExtent = 16 * CW_PROFILE_CHUNK_BYTES, kMostExtent = 256 * CW_PROFILE_CHUNK_BYTES };

static struct {
  char path[PATH_MAX];
  dev_t device;
  ino_t inode;
  struct cw_profile_header* header; /* NULL: not open */
  struct cw_profile_rank* rank;
  int32_t world_rank;
  const struct cw_profile_call* calls;
  struct cw_extent extents[2]; /* chunks are cut from the one with less left, if it suffices */
  uint64_t taken;              /* bytes of all chunks */
} store;
static pthread_mutex_t extents_lock = PTHREAD_MUTEX_INITIALIZER;

static _Atomic uint64_t* shared_u64(uint64_t* value) { return (_Atomic uint64_t*)value; }
static _Atomic uint32_t* shared_u32(uint32_t* value) { return (_Atomic uint32_t*)value; }

/* Fails if another job has replaced the file since it was opened first. */
static int reopen(void) {
  const int fd = open(store.path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  struct stat now;
  if (fd >= 0 && (fstat(fd, &now) != 0 || now.st_dev != store.device || now.st_ino != store.inode)) {
    close(fd);
    return -1;
  }
  return fd;
}

/* Refills the extent with less left, with at least `whole` bytes; false: no space. It reserves as much as was
 * taken so far, within limits: extents are few, and at most half of the file stays unused. */
static bool take_extent(uint64_t whole) {
  struct cw_extent* extent =
      store.extents[0].bytes < store.extents[1].bytes ? &store.extents[0] : &store.extents[1];
  const uint64_t wanted = store.taken < kLeastExtent  ? kLeastExtent
                          : store.taken > kMostExtent ? kMostExtent
                                                      : store.taken;
  uint64_t* next_free = &store.header->next_free;
  const int fd = reopen();
  if (fd < 0) return false;
  const bool taken = (wanted > whole && cw_extent_take(extent, fd, next_free, wanted)) ||
                     cw_extent_take(extent, fd, next_free, whole);
  close(fd);
  return taken;
}

static struct cw_profile_chunk* cut_chunk(uint64_t whole, uint64_t* offset) {
  const int fuller = store.extents[0].bytes < store.extents[1].bytes;
  struct cw_profile_chunk* chunk = cw_extent_cut(&store.extents[!fuller], whole, offset);
  return chunk != NULL ? chunk : cw_extent_cut(&store.extents[fuller], whole, offset);
}

static struct cw_profile_chunk* take_chunk(uint64_t bytes, uint32_t thread, uint64_t* offset) {
  const uint64_t whole =
      (bytes + CW_PROFILE_CHUNK_BYTES - 1) / CW_PROFILE_CHUNK_BYTES * CW_PROFILE_CHUNK_BYTES;
  if (whole > UINT32_MAX) return NULL;
  pthread_mutex_lock(&extents_lock);
  struct cw_profile_chunk* chunk = cut_chunk(whole, offset);
  if (chunk == NULL && take_extent(whole)) chunk = cut_chunk(whole, offset);
  if (chunk != NULL) store.taken += whole;
  pthread_mutex_unlock(&extents_lock);
  if (chunk == NULL) return NULL;
  chunk->bytes = (uint32_t)whole;
  chunk->rank = store.world_rank;
  chunk->thread = thread;
  return chunk;
}

struct cw_profile_chunk* cw_store_chunk(uint64_t bytes, uint32_t thread) {
  uint64_t offset = 0;
  return store.rank == NULL ? NULL : take_chunk(bytes, thread, &offset);
}

void cw_store_reserve(void) {
  if (store.rank == NULL) return;
  pthread_mutex_lock(&extents_lock);
  if (store.extents[0].bytes + store.extents[1].bytes < kLeastExtent / 2) (void)take_extent(kLeastExtent);
  pthread_mutex_unlock(&extents_lock);
}

void cw_store_publish(struct cw_profile_chunk* chunk, enum cw_profile_chunk_kind kind) {
  atomic_store_explicit(shared_u32(&chunk->kind), kind, memory_order_seq_cst);
}

/* Does an earlier chunk in the file claim the same rank? */
static bool claimed_before(int fd, uint64_t own_offset) {
  struct cw_profile_chunk head;
  uint64_t at = store.header->chunks_offset;
  while (at < own_offset && pread(fd, &head, sizeof head, (off_t)at) == (ssize_t)sizeof head) {
    if (head.kind == CW_CHUNK_RANK && head.rank == store.world_rank) return true;
    at += head.bytes == 0 ? CW_PROFILE_CHUNK_BYTES : head.bytes;
  }
  return false;
}

/* If one job runs two programs in a row, the second finds its rank claimed, and only the first is
 * recorded. */
static const char* claim_rank(int fd) {
  uint64_t offset = 0;
  struct cw_profile_chunk* chunk = take_chunk(sizeof *chunk + sizeof *store.rank, 0, &offset);
  if (chunk == NULL) return "no room for a record of this rank (disk full, quota or file size limit)";
  store.rank = (struct cw_profile_rank*)(chunk + 1);
  store.rank->pid = (uint32_t)getpid();
  store.rank->begin_unix_ns = cw_unix_ns();
  store.rank->ticks_per_s = cw_ticks_per_s();
  cw_store_publish(chunk, CW_CHUNK_RANK);
  if (!claimed_before(fd, offset)) return NULL;
  cw_store_publish(chunk, CW_CHUNK_REFUSED);
  store.rank = NULL;
  return "an earlier program of this job has recorded the same rank; only the first is recorded";
}

static const char* check_header(const struct cw_store_job* job) {
  const struct cw_profile_header* header = store.header;
  if (memcmp(header->magic, CW_PROFILE_MAGIC, sizeof header->magic) != 0 ||
      header->version != CW_PROFILE_VERSION || header->n_calls != job->n_calls) {
    return "its directory holds a file of another version; give an empty one";
  }
  if (strncmp(header->job, job->job, sizeof header->job) != 0 || header->n_ranks != job->n_ranks ||
      strncmp(header->world, job->world, sizeof header->world) != 0) {
    return "its directory holds the profile of another job; give an empty one";
  }
  return NULL;
}

const char* cw_store_open(const struct cw_store_job* job) {
  if (strlen(job->job) >= sizeof store.header->job) return "COREWISE_JOB is longer than 127 bytes";
  const char* failed = NULL;
  const int fd = cw_host_file_open(job, store.path, sizeof store.path, &failed);
  if (fd < 0) return failed;
  struct stat file;
  if (fstat(fd, &file) == 0 && (uint64_t)file.st_size >= CW_PROFILE_CHUNK_BYTES) {
    store.device = file.st_dev;
    store.inode = file.st_ino;
    store.header = cw_extent_map(fd, 0, CW_PROFILE_CHUNK_BYTES);
  }
  store.world_rank = job->rank;
  store.calls = job->calls;
  failed = store.header == NULL ? "its file can't be mapped into memory" : check_header(job);
  if (failed != NULL) store.header = NULL; /* never write to a file of another job */
  if (failed == NULL) failed = claim_rank(fd);
  close(fd);
  return failed;
}

struct cw_profile_rank* cw_store_rank(void) { return store.rank; }
const struct cw_profile_call* cw_store_calls(void) { return store.calls; }

/* File systems on which fsync is unnecessary, by the magic numbers of statfs(2). */
static bool is_local(int fd) {
  static const long local[] = {
      0xEF53 /* ext */,         0x58465342 /* xfs */,   0x9123683E /* btrfs */, 0x01021994 /* tmpfs */,
      0x794C7630 /* overlay */, 0x858458F6 /* ramfs */, 0xF2F52010 /* f2fs */,  0x2FC12FC1 /* zfs */};
  struct statfs found;
  if (fstatfs(fd, &found) != 0) return false;
  for (unsigned i = 0; i < sizeof local / sizeof *local; ++i) {
    if (found.f_type == local[i]) return true;
  }
  return false;
}

void cw_store_flush(void) {
  if (store.rank == NULL) return;
  const int fd = reopen();
  if (fd < 0) return;
  if (!is_local(fd)) (void)fsync(fd);
  close(fd);
}

void cw_store_fault(enum cw_profile_fault fault) {
  if (store.rank != NULL) atomic_fetch_add(shared_u64(&store.rank->faults[fault]), 1);
}

bool cw_store_may_report(bool by_default) {
  if (store.header == NULL) return by_default;
  return atomic_exchange(shared_u32(&store.header->reported), 1) == 0;
}
