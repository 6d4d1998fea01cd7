/* See async_progress.h. */
#define _GNU_SOURCE
#include "async_progress.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "../../pmpi/calls/mpi_symbols.h"
#include "../../store/clock.h"
#include "monitors/requests.h"

enum {
  PAUSE_NS = 500000,     /* between calls: a call takes some microseconds with the context switches, 1 % */
  PRODUCTIVE_NS = 10000, /* a call that took longer moved data: call again at once */
  EXIT_NS = 100000000    /* longest wait for the thread when the process exits */
};

static pthread_t thread;
static bool runs;
static bool is_ended_at_exit;
static atomic_bool ends;
static MPI_Comm self; /* probed because no message arrives there: MPI then makes progress for all others */

static void pause_between(void) {
  const struct timespec pause = {.tv_nsec = PAUSE_NS};
  clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
}

/* Did the call move data, judging by its duration? */
static bool call_mpi(void) {
  int found;
  const uint64_t begin_ns = cw_monotonic_ns();
  PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, self, &found, MPI_STATUS_IGNORE);
  return cw_monotonic_ns() - begin_ns > PRODUCTIVE_NS;
}

static void* make_progress(void* unused) {
  while (!atomic_load_explicit(&ends, memory_order_relaxed)) {
    if (!cw_open_requests_unsent() || !call_mpi()) pause_between();
  }
  return unused;
}

/* Blocks signals in the thread, so that the program's handlers run only on its own threads. */
static bool start_without_signals(void) {
  sigset_t all, before;
  sigfillset(&all);
  if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0) return false;
  const bool started = pthread_create(&thread, NULL, make_progress, NULL) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return started;
}

/* If the process exits inside an MPI call, as MPI_Abort does, the thread may wait forever for a lock: so this
 * waits only for a limited time. */
static void end_at_exit(void) {
  struct timespec until;
  if (!runs || clock_gettime(CLOCK_REALTIME, &until) != 0) return;
  atomic_store(&ends, true);
  until.tv_sec += (until.tv_nsec + EXIT_NS) / 1000000000;
  until.tv_nsec = (until.tv_nsec + EXIT_NS) % 1000000000;
  runs = pthread_timedjoin_np(thread, NULL, &until) != 0;
}

static void be_without_thread(void) { runs = false; }

bool cw_async_progress_start(void) {
  if (runs) return true;
  if (!is_ended_at_exit)
    is_ended_at_exit = pthread_atfork(NULL, NULL, be_without_thread) == 0 && atexit(end_at_exit) == 0;
  if (!is_ended_at_exit) return false;
  self = CW_COMM_SELF;
  atomic_store(&ends, false);
  runs = start_without_signals();
  if (runs) pthread_setname_np(thread, "mpi-progress");
  return runs;
}

void cw_async_progress_finish(void) {
  if (!runs) return;
  runs = false;
  atomic_store(&ends, true);
  pthread_join(thread, NULL);
}
