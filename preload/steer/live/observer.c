/* The steer observer. Once per interval, at the start of a blocking call, a rank publishes its counters; the
 * rank that leads the node then decides and acts. */
#define _GNU_SOURCE
#include "observer.h"

#include <corewise_node/identity.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../../pmpi/this_rank.h"
#include "../../store/clock.h"
#include "../../store/environment.h"
#include "../../store/print_stderr.h"
#include "act/lease.h"
#include "act/pages.h"
#include "act/swap.h"
#include "async_progress.h"
#include "leader.h"
#include "log.h"
#include "monitors/calls.h"
#include "monitors/source.h"
#include "observations.h"
#include "share/shared_file.h"

enum {
  SWAP_LEASE_MS = 200,      /* longer than a swap takes */
  LEADER_LEASE_MS = 10000,  /* a leader is replaced if it makes no MPI call for this long */
  LOOKS_BETWEEN = 20,       /* other ranks check for a missing leader once in this many intervals */
  TIMES_COST = 200,         /* an interval is at least this many times as long as the work done for it... */
  MOST_INTERVALS = 4,       /* ...but at most this many times as long as set */
  MOST_WAIT_NS = 1000000000 /* for another thread of this rank, in MPI_Finalize */
};

/* State of this rank. The atomics are shared by its threads; the rest belongs to the thread that set
 * `busy`. */
static struct cw_steering* steering;
static struct cw_node_slots* slots;
static struct cw_journal* journal;
static struct cw_leader* leader;
static int own_slot;
static struct cw_slot_content content;
static char log_prefix[4096];
static char shared_prefix[4096];       /* of the shared-memory files */
static char failure[CW_MESSAGE_BYTES]; /* why this node is not steered; "": no failure */
static bool failed_alone;              /* this rank must report the failure: no other rank knows it */
static struct cw_page_walk memory;
static uint32_t n_settled; /* slots->settled when memory migration last started */
static unsigned needed;
static unsigned n_intervals;
static uint64_t interval_ticks;
static uint64_t usual_cost;     /* of the work done once per interval, ticks */
static _Atomic uint64_t due_at; /* ticks */
static _Atomic bool due;
static _Atomic bool on;
static atomic_flag busy = ATOMIC_FLAG_INIT;

static const char* const SHARED[] = {".slots", ".journal"};
enum { N_SHARED = sizeof SHARED / sizeof *SHARED, SLOTS = 0, JOURNAL = 1 };

static const char* shared_path(int which, char path[4200]) {
  snprintf(path, 4200, "%s%s", shared_prefix, SHARED[which]);
  return path;
}

static void remove_shared_files(void) {
  char path[4200];
  for (int which = 0; which < N_SHARED; ++which) unlink(shared_path(which, path));
}

/* Called once by each rank that has a slot, steered or not: the last one removes the shared files. */
static void stop_steering(void) {
  atomic_store(&on, false);
  if (leader != NULL) cw_leader_end(leader, (int64_t)cw_monotonic_ns());
  leader = NULL;
  if (journal != NULL) {
    cw_lease_resign(journal);
    cw_swap_leave(journal);
  }
  if (cw_node_slots_leave(slots)) remove_shared_files();
  slots = NULL;
}

static bool is_needed(enum cw_monitor_id monitor) { return (needed >> monitor & 1) != 0; }

/* Writes this rank's totals to its slot. */
static void publish_counters(void) {
  ++content.number;
  for (int i = 0; i < CW_N_MONITORS; ++i) {
    if (is_needed(i) && cw_sources[i]->read_rank != NULL) cw_sources[i]->read_rank(&content);
  }
  cw_slot_write(&slots->slots[own_slot], &content);
}

/* After a swap was kept or undone, migrates a part of this rank's memory in each interval. */
static void migrate_memory(void) {
  const uint32_t settled = atomic_load_explicit(&slots->settled[own_slot], memory_order_relaxed);
  if (steering->settings.memory_pages == 0) return;
  if (settled != n_settled) {
    n_settled = settled;
    const int node = cw_pages_node_here();
    if (node >= 0 && node != memory.node) cw_page_walk_begin(&memory, node);
  }
  cw_page_walk_step(&memory, steering->settings.memory_pages);
}

/* Starts the progress thread if the leader requested it. It runs until MPI_Finalize. */
static void make_progress(void) {
  if (atomic_load_explicit(&slots->assisted[own_slot], memory_order_relaxed))
    content.rank.assisted = cw_async_progress_start();
}

/* Leads the node if this rank is the leader; else recovers from a swap that was left unfinished. */
static void steer(void) {
  const bool looks = leader != NULL || n_intervals++ % LOOKS_BETWEEN == 0;
  if (looks && cw_lease_leads(journal, LEADER_LEASE_MS)) {
    const struct cw_leader_job job = {steering, slots, journal, own_slot, log_prefix};
    if (leader == NULL) leader = cw_leader_begin(&job);
    if (leader != NULL && !cw_leader_step(leader, (int64_t)cw_monotonic_ns(), failure)) {
      failed_alone = true;
      atomic_store(&slots->is_off, true);
      stop_steering();
    }
    return;
  }
  if (leader != NULL) cw_leader_end(leader, (int64_t)cw_monotonic_ns());
  leader = NULL;
  if (cw_journal_is_unfinished(journal)) cw_swap_recover(journal);
}

/* Ticks until the next work. With many ranks, the leader's work per interval must remain a small part of its
 * time. A cost that is higher than before is mostly a disturbance, so it counts only gradually. */
static uint64_t ticks_to_next(uint64_t cost) {
  usual_cost = cost < usual_cost ? cost : usual_cost + usual_cost / 4 + 1;
  const uint64_t wanted = usual_cost * TIMES_COST;
  if (wanted <= interval_ticks) return interval_ticks;
  return wanted < interval_ticks * MOST_INTERVALS ? wanted : interval_ticks * MOST_INTERVALS;
}

static void steer_before(const struct cw_call* call) {
  if (!atomic_load_explicit(&due, memory_order_relaxed) || (call->flags & CW_CALL_BLOCKS) == 0) return;
  if (atomic_flag_test_and_set(&busy)) return; /* another thread of this rank does the work */
  const uint64_t begin = cw_ticks();
  if (atomic_load(&on) && atomic_load(&slots->is_off)) stop_steering();
  if (atomic_load(&on)) {
    make_progress();
    publish_counters();
    migrate_memory();
    steer();
  }
  const uint64_t end = cw_ticks();
  atomic_store_explicit(&due_at, end + ticks_to_next(end - begin), memory_order_relaxed);
  atomic_store_explicit(&due, false, memory_order_relaxed);
  cw_call_times_leave_out(end - begin);
  atomic_flag_clear(&busy);
}

static void steer_after(const struct cw_call* call) {
  cw_call_times_add(call);
  if (call->end >= atomic_load_explicit(&due_at, memory_order_relaxed))
    atomic_store_explicit(&due, true, memory_order_relaxed);
}

static void refuse(const char* reason) { snprintf(failure, sizeof failure, "%s", reason); }

static const char* variable(const char* name, const char* otherwise) {
  const char* value = cw_environment(name);
  return value != NULL && *value != '\0' ? value : otherwise;
}

/* Reads the settings, which have the format of a log's head. A file for this node takes precedence over the
 * one for all nodes. */
static bool read_settings(const char* directory) {
  char path[4200];
  struct cw_log* log = calloc(1, sizeof *log);
  steering = calloc(1, sizeof *steering);
  snprintf(path, sizeof path, "%s.settings", log_prefix);
  if (access(path, F_OK) != 0) snprintf(path, sizeof path, "%s/settings", directory);
  if (log == NULL || steering == NULL) {
    refuse("no memory");
  } else if (cw_log_open(path, log, failure)) {
    *steering = log->steering;
    cw_log_close(log);
    free(log);
    return true;
  }
  free(log);
  return false;
}

/* Sets the prefixes of this node's logs in `directory`, and of its shared files in another folder. */
static bool name_files(const char* directory) {
  char name[256];
  struct cw_node node;
  const char* job = variable("COREWISE_JOB", NULL);
  cw_node_find(&node);
  if (job == NULL) {
    refuse("COREWISE_JOB is not set");
  } else if (cw_node_file_name(&node, name, sizeof name) >= (int)sizeof name ||
             snprintf(log_prefix, sizeof log_prefix, "%s/%s", directory, name) >= (int)sizeof log_prefix ||
             snprintf(shared_prefix, sizeof shared_prefix, "%s/corewise-%s-%s",
                      variable("COREWISE_STEER_SHARED", "/dev/shm"), job,
                      name) >= (int)sizeof shared_prefix) {
    refuse("the names of its files are too long");
  } else {
    return true;
  }
  return false;
}

/* Does /proc show the PID namespace of this process? */
static bool proc_is_own(void) {
  char number[32] = "";
  return readlink("/proc/self", number, sizeof number - 1) > 0 && atol(number) == (long)getpid();
}

/* Ranks in separate PID namespaces can't move each other, and may have the same process id. Only one rank
 * reports that. */
static bool may_move_others(void) {
  if (proc_is_own() && cw_node_slots_same_namespace(slots)) return true;
  failed_alone = !atomic_exchange(&slots->is_off, true);
  if (failed_alone)
    refuse(
        "its ranks are in separate PID namespaces (containers), where none can move another; start them "
        "with the PID namespace of the host");
  return false;
}

/* Takes a slot and enters this process with its current mask. */
static bool join_node(void) {
  char path[4200], message[CW_SHARED_MESSAGE_BYTES];
  struct cw_process_id self;
  struct cw_pu_mask mask;
  slots = cw_node_slots_join(shared_path(SLOTS, path), &own_slot, message);
  if (slots != NULL && !may_move_others()) return false;
  if (slots != NULL) journal = cw_journal_open(shared_path(JOURNAL, path), own_slot, SWAP_LEASE_MS, message);
  if (journal == NULL) {
    refuse(message);
    return false;
  }
  if (!cw_process_identify(getpid(), &self) || !cw_process_mask(&self, &mask)) {
    refuse("/proc does not tell where this process may run");
    return false;
  }
  cw_journal_enter(journal, own_slot, &self, &mask);
  return true;
}

/* Turns off monitors that can't be read here; the log's head shows that. Call times are always needed, for
 * windows and verdicts. */
static void choose_monitors(void) {
  needed = cw_monitors_needed(steering);
  for (int i = 0; i < CW_N_MONITORS; ++i) {
    const bool starts = is_needed(i) && cw_sources[i]->start != NULL;
    if (starts && !cw_sources[i]->start(&steering->machine, &steering->settings))
      steering->confidences.of[i] = 0;
  }
  needed = cw_monitors_needed(steering) | 1u << CW_MONITOR_CALLS;
}

/* If memory can't follow a rank, swaps stay in a NUMA domain; the log's head shows that. */
static void choose_memory(void) {
  memory.node = cw_pages_node_here();
  if (!cw_pages_may_move()) steering->settings.memory_pages = 0;
}

static bool steer_has_mpi_thread(void) { return variable("COREWISE_STEER_PROGRESS", NULL) != NULL; }

/* Asynchronous progress needs MPI_THREAD_MULTIPLE, which MPI may not provide. */
static void choose_progress(void) {
  if (steering->settings.async_progress == 0 || cw_this_rank.is_threaded) return;
  steering->settings.async_progress = 0;
  if (cw_this_rank_reports())
    cw_print_stderr("corewise: this MPI has no MPI_THREAD_MULTIPLE, so missing progress is only advised.\n");
}

static void steer_start(void) {
  if (cw_this_rank.is_spawned || !cw_this_rank.has_world || failure[0] != '\0') return;
  const char* directory = variable("COREWISE_STEER", NULL);
  if (directory == NULL) {
    refuse("COREWISE_STEER names no folder");
    return;
  }
  if (!name_files(directory) || !read_settings(directory) || !join_node()) return;
  content.rank = cw_rank_sample_empty();
  content.rank.id = cw_this_rank.rank;
  choose_monitors();
  choose_memory();
  choose_progress();
  interval_ticks = (uint64_t)((double)steering->settings.interval_ns * cw_ticks_per_s() / 1e9);
  due_at = cw_ticks() + interval_ticks;
  if (!cw_call_times_start(is_needed(CW_MONITOR_REQUESTS), cw_this_rank.is_threaded)) refuse("no memory");
  atomic_store(&on, failure[0] == '\0');
}

static bool steer_wants_calls(void) { return atomic_load(&on); }

/* Waits for the thread that is at work, and keeps others from starting. False: it does not finish, for
 * example because the program cancelled it. Its data are then left alone. */
static bool exclude_others(void) {
  const uint64_t begin_ns = cw_monotonic_ns();
  while (atomic_flag_test_and_set(&busy)) {
    if (cw_monotonic_ns() - begin_ns > MOST_WAIT_NS) return false;
    sched_yield();
  }
  return true;
}

static void steer_finish(void) {
  if (!cw_this_rank.has_world) { /* the program may still call MPI_Init */
    if (cw_this_rank_reports())
      cw_print_stderr("corewise: steering is off while the program has sessions and no MPI_Init.\n");
    return;
  }
  const bool is_alone = exclude_others();
  cw_async_progress_finish();
  if (is_alone && slots != NULL) stop_steering();
  for (int i = 0; i < CW_N_MONITORS; ++i) {
    if (is_alone && cw_sources[i]->finish != NULL) cw_sources[i]->finish();
  }
  if (failure[0] != '\0' && (failed_alone || cw_this_rank_reports()))
    cw_print_stderr("corewise: steering is off on this node: %s.\n", failure);
}

const struct cw_observer cw_steer_observer = {.version = CW_OBSERVER_VERSION,
                                              .name = "steer",
                                              .has_mpi_thread = steer_has_mpi_thread,
                                              .start = steer_start,
                                              .wants_calls = steer_wants_calls,
                                              .before = steer_before,
                                              .after = steer_after,
                                              .finish = steer_finish};
