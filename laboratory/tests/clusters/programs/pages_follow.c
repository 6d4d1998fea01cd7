// Usage: pages_follow CPU_BEFORE CPU_AFTER PAGES STEP_PAGES. Memory that follows its process.
//
// Touches PAGES pages on CPU_BEFORE, moves to CPU_AFTER, and then moves the pages in steps. Prints the NUMA
// nodes of both CPUs, the number of pages on the second node before and after, the number of steps, the
// greatest number of pages in a step, and the number of pages that the kernel did not move.
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "act/pages.h"

static void go_to(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  if (sched_setaffinity(0, sizeof set, &set) != 0) exit(2);
}

static long pages_on(char* block, long n_pages, int node) {
  long n = 0;
  for (long i = 0; i < n_pages; ++i) {
    void* page = block + i * sysconf(_SC_PAGESIZE);
    int status = -1;
    if (syscall(SYS_move_pages, 0, 1UL, &page, NULL, &status, 0) != 0) exit(3);
    n += status == node;
  }
  return n;
}

int main(int argc, char** argv) {
  if (argc != 5) return 1;
  const long n_pages = atol(argv[3]), step_pages = atol(argv[4]);
  const size_t bytes = (size_t)(n_pages * sysconf(_SC_PAGESIZE));
  go_to(atoi(argv[1]));
  const int before = cw_pages_node_here();
  char* block = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  madvise(block, bytes, MADV_NOHUGEPAGE);  // a huge page moves as a whole, beyond the limit of a step
  memset(block, 1, bytes);
  go_to(atoi(argv[2]));
  const int after = cw_pages_node_here();
  const long at_first = pages_on(block, n_pages, after);
  struct cw_page_walk walk = {0};
  long n_steps = 0, most = 0;
  for (cw_page_walk_begin(&walk, after); walk.active; ++n_steps) {
    const long moved = walk.n_moved;
    cw_page_walk_step(&walk, step_pages);
    if (walk.n_moved - moved > most) most = walk.n_moved - moved;
  }
  const long at_last = pages_on(block, n_pages, after), refused = (long)walk.n_refused;
  printf("%d %d %ld %ld %ld %ld %ld\n", before, after, at_first, at_last, n_steps, most, refused);
  return 0;
}
