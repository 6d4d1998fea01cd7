/* See print_stderr.h. */
#define _GNU_SOURCE
#include "print_stderr.h"

#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MOST_WAIT_MS = 100 };

static struct stat at_start;
static bool was_open;

__attribute__((constructor)) static void remember(void) { was_open = fstat(STDERR_FILENO, &at_start) == 0; }

static bool is_as_at_start(void) {
  struct stat now;
  return was_open && fstat(STDERR_FILENO, &now) == 0 && now.st_dev == at_start.st_dev &&
         now.st_ino == at_start.st_ino && now.st_rdev == at_start.st_rdev;
}

/* poll(2) reports a pipe as writable only if PIPE_BUF bytes fit (pipe(7)). */
static bool is_ready(void) {
  struct pollfd errors = {.fd = STDERR_FILENO, .events = POLLOUT};
  return poll(&errors, 1, MOST_WAIT_MS) == 1 && errors.revents == POLLOUT;
}

/* SIGPIPE (no reader) and SIGXFSZ (file size limit) are sent to the writing thread: blocked there, they can
 * be undone. */
static void write_without_signals(const char* line, size_t n) {
  const struct timespec now = {0};
  sigset_t raised, before, pending;
  sigemptyset(&raised);
  sigpending(&pending);
  if (!sigismember(&pending, SIGPIPE)) sigaddset(&raised, SIGPIPE);
  if (!sigismember(&pending, SIGXFSZ)) sigaddset(&raised, SIGXFSZ);
  if (pthread_sigmask(SIG_BLOCK, &raised, &before) != 0) return;
  if (write(STDERR_FILENO, line, n) < 0) (void)sigtimedwait(&raised, NULL, &now);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void cw_print_stderr(const char* format, ...) {
  char line[PIPE_BUF];
  va_list given;
  va_start(given, format);
  const int length = vsnprintf(line, sizeof line, format, given);
  va_end(given);
  if (length <= 0 || !is_as_at_start() || !is_ready()) return;
  write_without_signals(line, length < PIPE_BUF ? (size_t)length : sizeof line - 1);
}
