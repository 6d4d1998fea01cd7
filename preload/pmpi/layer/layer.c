/* Starts and ends the recording together with MPI, and reports what could not be recorded. */
#define _GNU_SOURCE
#include "layer.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../counters/rows.h"
#include "../../store/environment.h"
#include "../../store/print_stderr.h"
#include "../../store/store.h"
#include "calls/gate.h"
#include "calls/library.h"
#include "calls/mpi_symbols.h"
#include "calls/types.h"
#include "calls_table.h"
#include "comms/groups.h"
#include "comms/outside.h"
#include "comms/spawned.h"
#include "dispatch.h"
#include "requests/requests.h"
#include "requests/watch.h"
#include "this_rank.h"

static uint32_t mode = CW_MODE_TIME;

static bool observing; /* observers were chosen, and the loaded MPI is of the right family */
static bool started;
static bool dispatching;    /* observers were started */
static const char* failure; /* why nothing is recorded; NULL: no failure */
static bool failure_is_told;

/* COREWISE_JOB, else the launcher's name of the job: PMIx's, or Slurm's job and step. */
static const char* job_name(char buffer[128]) {
  const char* job = cw_environment("COREWISE_JOB");
  if (job == NULL || *job == 0) job = getenv("PMIX_NAMESPACE");
  if (job != NULL && *job != 0) return job;
  const char* slurm = getenv("SLURM_JOB_ID");
  const char* step = getenv("SLURM_STEP_ID");
  if (slurm == NULL) return NULL;
  snprintf(buffer, 128, "%s.%s", slurm, step == NULL ? "" : step);
  return buffer;
}

static const char* open_store(const char* directory) {
  if (cw_store_rank() != NULL) return NULL; /* MPI is started a second time */
  char buffer[128];
  char world[CW_WORLD_NAME_BYTES] = "";
  if (cw_this_rank.is_spawned) {
    if (cw_environment("COREWISE_SPAWNED") == NULL) return "spawned processes are not recorded";
    if (!cw_spawned_world(world)) return "which spawned processes started together can't be found out here";
  }
  const struct cw_store_job job = {.directory = directory,
                                   .job = job_name(buffer),
                                   .world = world,
                                   .rank = cw_this_rank.rank,
                                   .n_ranks = cw_world_members.n,
                                   .calls = cw_calls,
                                   .n_calls = CW_N_CALLS};
  if (job.job == NULL) return "COREWISE_JOB is not set and the launcher names no job";
  return cw_store_open(&job);
}

void cw_layer_prepare(void) {
  const char* directory = cw_environment("COREWISE_DIR");
  cw_outside_begin();
  if (observing && failure == NULL) cw_dispatch_prepare();
  if (observing) return;
  failure = cw_dispatch_choose(directory != NULL && *directory != 0);
  if (cw_dispatch_is_empty()) return;
  const char* mismatch = cw_library_mismatch();
  observing = mismatch == NULL;
  if (failure == NULL) failure = mismatch;
  if (failure == NULL) cw_dispatch_prepare();
}

int cw_layer_thread_level(int asked) {
  const bool raised = observing && failure == NULL && cw_dispatch_has_mpi_thread();
  return raised ? MPI_THREAD_MULTIPLE : asked;
}

/* Sets the mode from COREWISE_MODE. NULL, or a sentence if the mode is unknown. */
static const char* choose_mode(void) {
  static const char* const names[] = {
      [CW_MODE_TIME] = "time", [CW_MODE_COUNT] = "count", [CW_MODE_EVENTS] = "events"};
  const char* given = cw_environment("COREWISE_MODE");
  if (given == NULL || *given == 0) return NULL;
  for (uint32_t i = 0; i < sizeof names / sizeof *names; ++i) {
    if (strcmp(given, names[i]) != 0) continue;
    mode = i;
    return NULL;
  }
  return "COREWISE_MODE is none of count, time and events";
}

/* With or without the store. */
static void start_observers(void) {
  struct cw_profile_rank* rank = cw_store_rank();
  const bool timed = mode != CW_MODE_COUNT;
  if (rank != NULL) {
    rank->mode = mode;
    rank->mpi_library = cw_library_family();
    rank->finished = 0;
  }
  const struct cw_takers takers = cw_dispatch_start(rank != NULL);
  const bool counted = cw_rows_are_counted();
  const bool watched = takers.watch && cw_watch_memory_start();
  const uintptr_t bits = CW_GATE_OPEN | (timed ? CW_GATE_TIMED : 0u) | (counted ? CW_GATE_TRACED : 0u) |
                         (watched ? CW_GATE_WATCHED : 0u) | (watched && takers.counts ? CW_GATE_COUNTED : 0u);
  if (cw_this_rank.has_world) cw_groups_hand_over_world();
  if (rank != NULL && cw_this_rank.is_spawned) cw_comm_connected_with_parents();
  if (rank != NULL && rank->begin_ticks == 0) rank->begin_ticks = cw_ticks();
  dispatching = true;
  cw_gate_set(counted || watched ? bits : 0);
}

/* A forked child without exec is not a rank. It must not write into its parent's record or print messages. */
static void leave_to_parent(void) {
  observing = started = false;
  failure = NULL;
  cw_gate_set(0);
  cw_thread.gate = 0;
}

/* With sessions only, assumes threads, because each session has its own thread level. */
static bool is_threaded(void) {
  int level = MPI_THREAD_MULTIPLE;
  if (cw_this_rank.has_world) PMPI_Query_thread(&level);
  return level == MPI_THREAD_MULTIPLE;
}

static void start(bool has_world) {
  static bool is_apart_from_children;
  if (!is_apart_from_children) is_apart_from_children = pthread_atfork(NULL, NULL, leave_to_parent) == 0;
  started = true;
  cw_gate_close();
  cw_this_rank.has_world = has_world;
  const bool resolved = cw_groups_start();
  if (failure == NULL && !resolved)
    failure = has_world ? "MPI_COMM_WORLD could not be resolved" : "mpi://WORLD could not be resolved";
  cw_types_start();
  cw_this_rank.is_spawned = has_world && cw_is_spawned();
  if (failure == NULL) {
    cw_this_rank.is_threaded = is_threaded();
    cw_requests_share(cw_this_rank.is_threaded);
    cw_this_rank.rank = cw_world_members.own_rank;
    failure = choose_mode();
    if (failure == NULL && cw_dispatch_needs_store()) failure = open_store(cw_environment("COREWISE_DIR"));
    start_observers();
  }
  cw_thread.gate = 0;
}

void cw_layer_start(void) {
  cw_environment_take();
  if (!observing || (started && cw_this_rank.has_world)) return;
  if (started) cw_layer_finish();
  start(true);
}

/* Does nothing in a spawned process: its parents wait until it calls MPI_Init, which starts the layer. */
void cw_layer_start_by_session(void) {
  cw_environment_take();
  if (observing && !started && !cw_has_spawner()) start(false);
}

static void report_failure(void) {
  if (failure == NULL || failure_is_told) return;
  failure_is_told = true;
  if (!cw_store_may_report(cw_this_rank_reports())) return;
  const char* directory = cw_environment("COREWISE_DIR");
  if (directory != NULL) {
    cw_print_stderr("corewise: nothing recorded in %s: %s.\n", directory, failure);
  } else {
    cw_print_stderr("corewise: nothing observed: %s.\n", failure);
  }
}

static void report_other_tool(void) {
  const char* tool = cw_this_rank.rank == 0 ? cw_library_other_tool() : NULL;
  if (tool != NULL) {
    cw_print_stderr(
        "corewise: %s wraps MPI too and did not see the calls that corewise recorded; preload one of the "
        "two.\n",
        tool);
  }
}

static void report_faults(void) {
  const struct cw_profile_rank* rank = cw_store_rank();
  uint64_t n = 0;
  for (int i = 0; i < CW_N_FAULTS; ++i) n += rank->faults[i];
  if (n > 0 && cw_store_may_report(false)) {
    cw_print_stderr(
        "corewise: rank %d lost %llu calls or their bytes; the profile in %s says which and for whom.\n",
        cw_this_rank.rank, (unsigned long long)n, cw_environment("COREWISE_DIR"));
  }
}

void cw_layer_finish(void) {
  if (!started) {
    report_failure();
    return;
  }
  cw_gate_set(0);
  cw_gate_close();
  struct cw_profile_rank* rank = cw_store_rank();
  if (rank != NULL) {
    rank->end_ticks = cw_ticks();
    rank->ticks_per_s = cw_ticks_per_s();
  }
  if (dispatching) cw_dispatch_finish();
  if (rank != NULL) {
    rank->finished = 1;
    cw_store_flush();
    report_other_tool();
    report_faults();
  }
  report_failure();
  cw_groups_finish();
  started = false;
  cw_thread.gate = 0;
}

void cw_layer_finish_by_session(void) {
  if (!started || !cw_this_rank.has_world) cw_layer_finish();
}
