/* Looks for pages on other nodes and moves them: see pages.h. */
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
  BATCH = 512, /* pages that one call looks at */
  LOOKED_FOR_EACH =
      64,      /* pages looked at for each that may be moved: most are there already, or not at all */
  MOVE_OWN = 2 /* MPOL_MF_MOVE of linux/mempolicy.h: pages of this process alone, not shared ones */
};

int cw_pages_node_here(void) {
  unsigned cpu = 0, node = 0;
  return getcpu(&cpu, &node) == 0 ? (int)node : -1;
}

void cw_page_walk_begin(struct cw_page_walk* walk, int node) {
  walk->active = true;
  walk->node = node;
  walk->at = 0;
}

/* The next stretch of private, writable memory that ends above `at`. False: there is none. */
static bool next_stretch(FILE* maps, uintptr_t at, uintptr_t* begin, uintptr_t* end) {
  char line[4352], mode[5]; /* a path has at most 4096 */
  while (fgets(line, sizeof line, maps) != NULL) {
    if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %4s", begin, end, mode) != 3) continue;
    if (*end > at && mode[1] == 'w' && mode[3] == 'p') return true;
  }
  return false;
}

/* Of the pages at `at` those that are on another node, moved. False: the kernel refuses the call. */
static bool move_batch(struct cw_page_walk* walk, uintptr_t at, int n, long page_bytes, int64_t* left) {
  void* pages[BATCH];
  int status[BATCH], nodes[BATCH], n_away = 0;
  for (int i = 0; i < n; ++i) pages[i] = (void*)(at + (uintptr_t)i * (uintptr_t)page_bytes);
  if (syscall(SYS_move_pages, 0, (unsigned long)n, pages, NULL, status, 0) != 0) return false;
  for (int i = 0; i < n && n_away < *left; ++i) {
    if (status[i] < 0 || status[i] == walk->node) continue;
    pages[n_away] = pages[i];
    nodes[n_away++] = walk->node;
  }
  if (n_away == 0) return true;
  *left -= n_away;
  if (syscall(SYS_move_pages, 0, (unsigned long)n_away, pages, nodes, status, MOVE_OWN) < 0) {
    walk->n_refused += n_away; /* as where a huge page finds no room on the node: the rest may */
    return errno != EPERM && errno != ENOSYS;
  }
  for (int i = 0; i < n_away; ++i) {
    walk->n_moved += status[i] == walk->node;
    walk->n_refused += status[i] != walk->node;
  }
  return true;
}

/* One stretch from walk->at on. False: the step's pages are used up, or the walk has ended. */
static bool walk_stretch(struct cw_page_walk* walk, uintptr_t begin, uintptr_t end, int64_t* left,
                         int64_t* looks) {
  const long page_bytes = sysconf(_SC_PAGESIZE);
  if (walk->at < begin) walk->at = begin;
  while (walk->at < end && *left > 0 && *looks > 0) {
    int64_t n = (int64_t)((end - walk->at) / (uintptr_t)page_bytes);
    if (n > BATCH) n = BATCH;
    if (n > *left) n = *left; /* what is looked at is moved at once: `at` passes over it */
    if (!move_batch(walk, walk->at, (int)n, page_bytes, left)) {
      walk->active = false;
      return false;
    }
    walk->at += (uintptr_t)n * (uintptr_t)page_bytes;
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
  int64_t left = most_pages, looks = LOOKED_FOR_EACH * most_pages;
  bool more = true;
  while (more && (more = next_stretch(maps, walk->at, &begin, &end)))
    more = walk_stretch(walk, begin, end, &left, &looks);
  /* Behind the last stretch nothing of this step's pages or looks is used up. */
  if (left > 0 && looks > 0) walk->active = false;
  fclose(maps);
}
