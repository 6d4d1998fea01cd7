/* See process.h. */
#define _GNU_SOURCE
#include "process.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Threads may start others while they are moved. After this many passes, moving is refused. */
enum { MOST_PASSES = 8 };

/* A process that has ended but was not waited for is still in /proc, in state Z: it counts as ended. */
bool cw_process_identify(pid_t pid, struct cw_process_id* id) {
  char path[64], text[1024];
  snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  if (length <= 0) return false;
  text[length] = '\0';
  /* Field 2, the program's name, is in parentheses and may contain any character, even ')'. */
  const char* rest = strrchr(text, ')');
  char state;
  long long start;
  if (!rest ||
      sscanf(rest + 1, " %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %lld",
             &state, &start) != 2 ||
      state == 'Z' || state == 'X') {
    return false;
  }
  *id = (struct cw_process_id){pid, start};
  return true;
}

bool cw_process_lives(const struct cw_process_id* id) {
  struct cw_process_id now;
  return id->pid > 0 && cw_process_identify((pid_t)id->pid, &now) && now.start == id->start;
}

/* System calls, because glibc's functions refuse masks larger than cpu_set_t. */
static bool get_mask(pid_t thread, struct cw_pu_mask* mask) {
  memset(mask, 0, sizeof *mask);
  return syscall(SYS_sched_getaffinity, thread, sizeof *mask, mask) > 0;
}

static int set_mask(pid_t thread, const struct cw_pu_mask* mask) {
  return syscall(SYS_sched_setaffinity, thread, sizeof *mask, mask) == 0 ? 0 : errno;
}

bool cw_process_mask(const struct cw_process_id* id, struct cw_pu_mask* mask) {
  return get_mask((pid_t)id->pid, mask) && cw_process_lives(id);
}

/* A process, with a pidfd that shows if it has ended even if its pid is reused. */
struct held {
  const struct cw_process_id* id;
  int descriptor; /* pidfd; -1: the kernel is too old, or a filter forbids it */
};

/* False: the process has ended. */
static bool hold(const struct cw_process_id* id, struct held* held) {
  *held = (struct held){.id = id, .descriptor = -1};
  if (id->pid <= 0) return false;
  held->descriptor = (int)syscall(SYS_pidfd_open, (pid_t)id->pid, 0);
  if (cw_process_lives(id)) return true;
  if (held->descriptor >= 0) close(held->descriptor);
  return false;
}

static void let_go(const struct held* held) {
  if (held->descriptor >= 0) close(held->descriptor);
}

static bool has_ended(const struct held* held) {
  if (held->descriptor < 0) return !cw_process_lives(held->id);
  struct pollfd polled = {.fd = held->descriptor, .events = POLLIN};
  return poll(&polled, 1, 0) != 0;
}

/* Sets the mask of one thread. If the process has ended, the pid may already have belonged to another
 * process, which then gets its previous mask back. */
static enum cw_move give_mask(const struct held* held, pid_t thread, const struct cw_pu_mask* before,
                              const struct cw_pu_mask* mask) {
  struct cw_pu_mask after;
  const int error = set_mask(thread, mask);
  if (has_ended(held)) {
    if (error == 0) set_mask(thread, before);
    return CW_MOVE_GONE;
  }
  if (error == ESRCH) return CW_MOVE_DONE; /* only this thread has ended */
  if (error != 0 || !get_mask(thread, &after)) return CW_MOVE_REFUSED;
  /* A smaller mask means that the kernel allows no more. A different mask was set by somebody else meanwhile,
   * for example by a rank that had lost the lease: the next pass moves the thread again. */
  return !cw_mask_same(&after, mask) && cw_mask_within(&after, mask) ? CW_MOVE_REFUSED : CW_MOVE_DONE;
}

/* Must this thread, with this mask, be moved home? */
static bool is_away(const struct cw_process_id* id, pid_t thread, const struct cw_pu_mask* mask,
                    const struct cw_belonging* belonging) {
  if (cw_mask_within(mask, &belonging->home)) return false;
  if (thread == (pid_t)id->pid) return true;
  for (int i = 0; i < belonging->n_homes; ++i) {
    if (cw_mask_within(mask, &belonging->homes[i])) return true;
  }
  return false;
}

static struct cw_pu_mask mask_of(pid_t thread, const struct cw_belonging* belonging) {
  for (int32_t i = 0; i < belonging->own.n; ++i) {
    if (belonging->own.at[i].thread == thread)
      return cw_mask_at(belonging->own.at[i].places, &belonging->home);
  }
  return belonging->home;
}

/* The next existing thread, with its mask; 0: no more. */
static pid_t next_thread(DIR* folder, struct cw_pu_mask* mask) {
  const struct dirent* entry;
  while ((entry = readdir(folder))) {
    const pid_t thread = isdigit((unsigned char)entry->d_name[0]) ? (pid_t)atol(entry->d_name) : 0;
    if (thread > 0 && get_mask(thread, mask)) return thread;
  }
  return 0;
}

static DIR* open_threads(const struct cw_process_id* id) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/task", (int)id->pid);
  return cw_process_lives(id) ? opendir(path) : NULL;
}

/* One pass over the threads; counts those that had to be moved. */
static enum cw_move move_threads(const struct held* held, const struct cw_belonging* belonging,
                                 int* n_moved) {
  DIR* folder = open_threads(held->id);
  if (!folder) return has_ended(held) ? CW_MOVE_GONE : CW_MOVE_REFUSED;
  enum cw_move outcome = CW_MOVE_DONE;
  struct cw_pu_mask now;
  for (pid_t thread; outcome == CW_MOVE_DONE && (thread = next_thread(folder, &now)) > 0;) {
    if (!is_away(held->id, thread, &now, belonging)) continue;
    const struct cw_pu_mask wanted = mask_of(thread, belonging);
    ++*n_moved;
    outcome = give_mask(held, thread, &now, &wanted);
  }
  closedir(folder);
  return outcome;
}

enum cw_move cw_process_move(const struct cw_process_id* id, const struct cw_belonging* belonging) {
  struct held held;
  if (!hold(id, &held)) return CW_MOVE_GONE;
  enum cw_move outcome = CW_MOVE_REFUSED;
  for (int pass = 0; pass < MOST_PASSES; ++pass) {
    int n_moved = 0;
    outcome = move_threads(&held, belonging, &n_moved);
    if (outcome != CW_MOVE_DONE || n_moved == 0) break;
    outcome = CW_MOVE_REFUSED; /* unless the next pass finds every thread in place */
  }
  if (has_ended(&held)) outcome = CW_MOVE_GONE;
  let_go(&held);
  return outcome;
}

bool cw_process_is_at(const struct cw_process_id* id, const struct cw_belonging* belonging) {
  DIR* folder = open_threads(id);
  if (!folder) return false;
  bool all = true;
  struct cw_pu_mask now;
  for (pid_t thread; all && (thread = next_thread(folder, &now)) > 0;)
    all = !is_away(id, thread, &now, belonging);
  closedir(folder);
  return all;
}

bool cw_process_own_masks(const struct cw_process_id* id, const struct cw_pu_mask* home,
                          struct cw_own_masks* own) {
  own->n = 0;
  DIR* folder = open_threads(id);
  if (!folder) return false;
  bool fits = true;
  struct cw_pu_mask now;
  for (pid_t thread; fits && (thread = next_thread(folder, &now)) > 0;) {
    if (cw_mask_same(&now, home) || !cw_mask_within(&now, home)) continue;
    const uint64_t places = cw_mask_places(&now, home);
    fits = places != 0 && own->n < CW_MOST_OWN_MASKS;
    if (!fits) break;
    own->at[own->n].thread = thread;
    own->at[own->n++].places = places;
  }
  closedir(folder);
  return fits;
}

void cw_process_release(const struct cw_process_id* id, const struct cw_belonging* belonging) {
  struct held held;
  struct cw_pu_mask all, now;
  memset(&all, 0xff, sizeof all);
  if (!hold(id, &held)) return;
  DIR* folder = open_threads(id);
  if (folder) {
    for (pid_t thread; (thread = next_thread(folder, &now)) > 0;) {
      if (is_away(id, thread, &now, belonging)) give_mask(&held, thread, &now, &all);
    }
    closedir(folder);
  }
  let_go(&held);
}
