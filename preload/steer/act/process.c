/* Moves all threads of a process and reads back where they are. */
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

/* Threads may start others while they are moved: so many passes over them, then it is refused. */
enum { MOST_PASSES = 8 };

/* A process that ended and was not waited for yet is still in /proc, with state Z: it counts as gone. */
bool cw_process_identify(pid_t pid, struct cw_process_id* id) {
  char path[64], text[1024];
  snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  if (length <= 0) return false;
  text[length] = '\0';
  /* The name of the program, field 2, stands in brackets and may hold anything. */
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

static bool same_mask(const struct cw_pu_mask* a, const struct cw_pu_mask* b) {
  return memcmp(a, b, sizeof *a) == 0;
}

/* The kernel's own calls: glibc's refuse a mask that is larger than cpu_set_t. */
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

/* A descriptor that stands for the process and no other that gets its pid; -1 where it is gone. */
static int open_process(const struct cw_process_id* id) {
  if (id->pid <= 0) return -1;
  const int descriptor = (int)syscall(SYS_pidfd_open, (pid_t)id->pid, 0);
  if (descriptor >= 0 && cw_process_lives(id)) return descriptor;
  if (descriptor >= 0) close(descriptor);
  return -1;
}

static bool has_ended(int process) {
  struct pollfd polled = {.fd = process, .events = POLLIN};
  return poll(&polled, 1, 0) != 0;
}

/* Moves one thread. Where the process turns out to have ended, its pid may have been another's already: that
 * one gets the mask back that it had. */
static enum cw_move move_thread(int process, pid_t thread, const struct cw_pu_mask* mask) {
  struct cw_pu_mask before, after;
  const bool known = get_mask(thread, &before);
  if (known && same_mask(&before, mask)) return CW_MOVE_DONE;
  const int error = set_mask(thread, mask);
  if (has_ended(process)) {
    if (known && error == 0) set_mask(thread, &before);
    return CW_MOVE_GONE;
  }
  if (error == ESRCH) return CW_MOVE_DONE; /* this thread ended, the process did not */
  if (error != 0 || !get_mask(thread, &after) || !same_mask(&after, mask)) return CW_MOVE_REFUSED;
  return CW_MOVE_DONE;
}

/* One pass over the threads; counts those that did not have the mask. */
static enum cw_move move_threads(int process, pid_t pid, const struct cw_pu_mask* mask, int* n_moved) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
  DIR* folder = opendir(path);
  if (!folder) return has_ended(process) ? CW_MOVE_GONE : CW_MOVE_REFUSED;
  enum cw_move outcome = CW_MOVE_DONE;
  const struct dirent* entry;
  while (outcome == CW_MOVE_DONE && (entry = readdir(folder))) {
    if (!isdigit((unsigned char)entry->d_name[0])) continue;
    const pid_t thread = (pid_t)atol(entry->d_name);
    struct cw_pu_mask now;
    if (get_mask(thread, &now) && same_mask(&now, mask)) continue;
    ++*n_moved;
    outcome = move_thread(process, thread, mask);
  }
  closedir(folder);
  return outcome;
}

enum cw_move cw_process_move(const struct cw_process_id* id, const struct cw_pu_mask* mask) {
  const int process = open_process(id);
  if (process < 0) return CW_MOVE_GONE;
  enum cw_move outcome = CW_MOVE_REFUSED;
  for (int pass = 0; pass < MOST_PASSES; ++pass) {
    int n_moved = 0;
    outcome = move_threads(process, (pid_t)id->pid, mask, &n_moved);
    if (outcome != CW_MOVE_DONE || n_moved == 0) break;
    outcome = CW_MOVE_REFUSED; /* until a pass finds every thread in place */
  }
  if (has_ended(process)) outcome = CW_MOVE_GONE;
  close(process);
  return outcome;
}

bool cw_process_is_at(const struct cw_process_id* id, const struct cw_pu_mask* mask) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%lld/task", (long long)id->pid);
  DIR* folder = cw_process_lives(id) ? opendir(path) : NULL;
  if (!folder) return false;
  bool all = true;
  const struct dirent* entry;
  while (all && (entry = readdir(folder))) {
    struct cw_pu_mask now;
    if (!isdigit((unsigned char)entry->d_name[0])) continue;
    if (get_mask((pid_t)atol(entry->d_name), &now)) all = same_mask(&now, mask);
  }
  closedir(folder);
  return all;
}
