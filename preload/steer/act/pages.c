/* See pages.h. */
#define _GNU_SOURCE
#include "pages.h"

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
  BATCH = 512,           /* pages examined by one call */
  EXAMINED_FOR_EACH = 8, /* pages examined per page that may be moved, because most need no move. Measured:
                          0.18 us per page, so 8 * 256 of them take 0.4 ms */
  MOVE_OWN = 2           /* MPOL_MF_MOVE of linux/mempolicy.h: only pages that no other process uses */
};

bool cw_pages_may_move(void) { return syscall(SYS_move_pages, 0, 0UL, NULL, NULL, NULL, MOVE_OWN) == 0; }

int cw_pages_node_here(void) {
  unsigned cpu = 0, node = 0;
  return getcpu(&cpu, &node) == 0 ? (int)node : -1;
}

void cw_page_walk_begin(struct cw_page_walk* walk, int node) {
  walk->active = true;
  walk->node = node;
  walk->at = 0;
}

/* The next private, writable mapping that ends above `at`. False: none. */
static bool next_stretch(FILE* maps, uintptr_t at, uintptr_t* begin, uintptr_t* end) {
  char line[4352], mode[5]; /* enough for a path of 4096 bytes */
  while (fgets(line, sizeof line, maps) != NULL) {
    if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %4s", begin, end, mode) != 3) continue;
    if (*end > at && mode[1] == 'w' && mode[3] == 'p') return true;
  }
  return false;
}

/* Moves these pages to walk->node. False: the kernel refuses the call. */
static bool move(struct cw_page_walk* walk, void** pages, int n) {
  int status[BATCH], nodes[BATCH];
  for (int i = 0; i < n; ++i) nodes[i] = walk->node;
  if (syscall(SYS_move_pages, 0, (unsigned long)n, pages, nodes, status, MOVE_OWN) < 0) {
    walk->n_refused += n; /* for example, no room for a huge page; other pages may still fit */
    return errno != EPERM && errno != ENOSYS;
  }
  for (int i = 0; i < n; ++i) {
    walk->n_moved += status[i] == walk->node;
    walk->n_refused += status[i] != walk->node;
  }
  return true;
}

/* Examines `n` pages from walk->at and moves those on another node, at most *left. Advances walk->at past the
 * last page that is done. False: the kernel refuses the call. */
static bool walk_batch(struct cw_page_walk* walk, int n, long page_bytes, int64_t* left) {
  void* pages[BATCH];
  int status[BATCH], n_away = 0, n_done = 0;
  for (int i = 0; i < n; ++i) pages[i] = (void*)(walk->at + (uintptr_t)i * (uintptr_t)page_bytes);
  if (syscall(SYS_move_pages, 0, (unsigned long)n, pages, NULL, status, 0) != 0) return false;
  for (; n_done < n && n_away < *left; ++n_done) {
    if (status[n_done] >= 0 && status[n_done] != walk->node) pages[n_away++] = pages[n_done];
  }
  walk->at += (uintptr_t)n_done * (uintptr_t)page_bytes;
  *left -= n_away;
  return n_away == 0 || move(walk, pages, n_away);
}

/* Walks one mapping from walk->at on. False: the step's limit is reached, or the migration has ended. */
static bool walk_stretch(struct cw_page_walk* walk, uintptr_t begin, uintptr_t end, int64_t* left,
                         int64_t* looks) {
  const long page_bytes = sysconf(_SC_PAGESIZE);
  if (walk->at < begin) walk->at = begin;
  while (walk->at < end && *left > 0 && *looks > 0) {
    int64_t n = (int64_t)((end - walk->at) / (uintptr_t)page_bytes);
    if (n > BATCH) n = BATCH;
    if (!walk_batch(walk, (int)n, page_bytes, left)) {
      walk->active = false;
      return false;
    }
    *looks -= n;
  }
  return *left > 0 && *looks > 0;
}

void cw_page_walk_step(struct cw_page_walk* walk, int64_t most_pages) {
  if (!walk->active || most_pages <= 0) return;
  FILE* maps = fopen("/proc/self/maps", "re");
  if (maps == NULL) {
    walk->active = false;
    return;
  }
  uintptr_t begin = 0, end = 0;
  int64_t left = most_pages, looks = EXAMINED_FOR_EACH * most_pages;
  bool more = true;
  while (more && (more = next_stretch(maps, walk->at, &begin, &end)))
    more = walk_stretch(walk, begin, end, &left, &looks);
  /* Limits were not reached, so there was no further mapping. */
  if (left > 0 && looks > 0) walk->active = false;
  fclose(maps);
}
