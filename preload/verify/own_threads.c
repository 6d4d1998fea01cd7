/* See own_threads.h. */
#define _GNU_SOURCE
#include "own_threads.h"

#include <dirent.h>
#include <stdlib.h>
#include <time.h>

struct thread_list {
  pid_t* threads;
  uint32_t n;
  uint32_t room;
};

static struct thread_list before_init;
static struct thread_list of_mpi;
static bool prepared;

bool cw_each_thread(void (*visit)(pid_t thread, void* context), void* context) {
  DIR* folder = opendir("/proc/self/task");
  if (folder == NULL) return false;
  const struct dirent* entry = NULL;
  while ((entry = readdir(folder)) != NULL) {
    const pid_t thread = (pid_t)atol(entry->d_name);
    if (thread > 0) visit(thread, context);
  }
  closedir(folder);
  return true;
}

/* If memory runs out, the thread is not listed and counts as one of the program's. */
static void append(pid_t thread, struct thread_list* list) {
  if (list->n == list->room) {
    const uint32_t room = list->room == 0 ? 16 : 2 * list->room;
    pid_t* threads = realloc(list->threads, room * sizeof *threads);
    if (threads == NULL) return;
    list->threads = threads;
    list->room = room;
  }
  list->threads[list->n++] = thread;
}

static bool contains(const struct thread_list* list, pid_t thread) {
  for (uint32_t i = 0; i < list->n; ++i) {
    if (list->threads[i] == thread) return true;
  }
  return false;
}

static void remember(pid_t thread, void* list) { append(thread, list); }

static void remember_if_new(pid_t thread, void* list) {
  if (!contains(&before_init, thread)) append(thread, list);
}

void cw_mpi_threads_prepare(void) {
  before_init.n = 0;
  prepared = cw_each_thread(remember, &before_init);
}

void cw_mpi_threads_find(void) {
  if (prepared) (void)cw_each_thread(remember_if_new, &of_mpi);
}

bool cw_is_mpi_thread(pid_t thread) { return contains(&of_mpi, thread); }

static uint64_t read_clock(clockid_t clock) {
  struct timespec time;
  if (clock_gettime(clock, &time) != 0) return 0;
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* Linux makes the clock's id from the thread id: its complement, then the bits for a single thread and for
 * CPU time (include/linux/posix-timers_types.h). pthread_getcpuclockid(3) would need a pthread_t, which is
 * unknown for threads of other libraries. */
uint64_t cw_thread_cpu_ns(pid_t thread) {
  enum { kOfOneThread = 4, kScheduler = 2 };
  return read_clock((clockid_t)(~(unsigned)thread << 3 | kOfOneThread | kScheduler));
}

uint64_t cw_process_cpu_ns(void) { return read_clock(CLOCK_PROCESS_CPUTIME_ID); }
