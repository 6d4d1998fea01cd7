/* The verify observer: the affinity masks that the rank and its threads really have, as the kernel reports
 * them (os_index). */
#define _GNU_SOURCE
#include "verify.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../store/store.h"

/* Valid bytes, 0 where the kernel refuses. The system call itself: glibc's fixed cpu_set_t ends at 1024. */
static uint32_t read_mask(pid_t thread, uint8_t mask[CW_PROFILE_MASK_BYTES]) {
  const long n = syscall(SYS_sched_getaffinity, thread, (size_t)CW_PROFILE_MASK_BYTES, mask);
  return n > 0 ? (uint32_t)n : 0;
}

/* Late enough to see what a launcher or MPI_Init itself has bound. */
static void verify_start(void) {
  struct cw_profile_rank* rank = cw_store_rank();
  rank->mask_bytes = read_mask(0, rank->mask);
}

static void read_name(const char* thread, char name[16]) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/task/%.20s/comm", thread);
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  const ssize_t n = read(fd, name, 15);
  close(fd);
  if (n > 0) name[strcspn(name, "\n")] = 0;
}

/* The next free entry of the chunk, or of a new one when it is full. */
static struct cw_profile_thread* next_entry(struct cw_profile_chunk** chunk) {
  enum { kOfChunk = (CW_PROFILE_CHUNK_BYTES - sizeof **chunk) / sizeof(struct cw_profile_thread) };
  if (*chunk != NULL && (*chunk)->n_items == kOfChunk) {
    cw_store_publish(*chunk, CW_CHUNK_THREADS);
    *chunk = NULL;
  }
  if (*chunk == NULL) *chunk = cw_store_chunk(CW_PROFILE_CHUNK_BYTES, 0);
  if (*chunk == NULL) return NULL;
  return (struct cw_profile_thread*)(*chunk + 1) + (*chunk)->n_items++;
}

static void verify_finish(void) {
  DIR* threads = opendir("/proc/self/task");
  if (threads == NULL) return;
  struct cw_profile_chunk* chunk = NULL;
  const struct dirent* entry = NULL;
  while ((entry = readdir(threads)) != NULL) {
    const pid_t thread = (pid_t)atol(entry->d_name);
    if (thread <= 0) continue;
    struct cw_profile_thread* found = next_entry(&chunk);
    if (found == NULL) {
      cw_store_fault(CW_FAULT_NO_SPACE);
      break;
    }
    found->tid = (uint32_t)thread;
    found->mask_bytes = read_mask(thread, found->mask);
    read_name(entry->d_name, found->name);
  }
  if (chunk != NULL) cw_store_publish(chunk, CW_CHUNK_THREADS);
  closedir(threads);
}

const struct cw_observer cw_verify_observer = {
    .name = "verify", .start = verify_start, .finish = verify_finish};
