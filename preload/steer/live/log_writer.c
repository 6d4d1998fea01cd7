/* See log_writer.h. */
#define _GNU_SOURCE
#include "log_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  MOST_LOGS = 1000,
  LINE_BYTES = 640,             /* of a rank with all its numbers, and of its peers one by one */
  HEAD_BYTES = 4096 + 64 * 1024 /* settings and registers; cores come with LINE_BYTES each */
};

/* Writing beyond the process's limit on file sizes would end it by SIGXFSZ. */
static bool has_room(int log, size_t bytes) {
  struct rlimit limit;
  struct stat found;
  if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return true;
  return fstat(log, &found) == 0 && (rlim_t)found.st_size + bytes <= limit.rlim_cur;
}

static bool write_whole(int log, const struct cw_buffer* text, char* message) {
  size_t written = 0;
  const bool fits = has_room(log, text->used);
  if (!fits) errno = EFBIG;
  while (!text->overflow && fits && written < text->used) {
    const ssize_t n = write(log, text->data + written, text->used - written);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    written += (size_t)n;
  }
  if (!text->overflow && written == text->used) return true;
  snprintf(message, CW_MESSAGE_BYTES, "the log of steering could not be written (%s)",
           text->overflow ? "an interval is too long" : strerror(errno));
  return false;
}

/* Room for `n_lines` lines; false: no memory. */
static bool make_buffer(struct cw_buffer* text, size_t n_lines, char* message) {
  *text = (struct cw_buffer){.size = HEAD_BYTES + n_lines * LINE_BYTES};
  text->data = malloc(text->size);
  if (text->data == NULL) snprintf(message, CW_MESSAGE_BYTES, "no memory for the log of steering");
  if (text->data != NULL) text->data[0] = '\0';
  return text->data != NULL;
}

static int make_file(const char* prefix, char* message) {
  char path[4096];
  for (int i = 1; i <= MOST_LOGS; ++i) {
    char number[16] = "";
    if (i > 1) snprintf(number, sizeof number, "-%d", i);
    if (snprintf(path, sizeof path, "%s%s.steer-log", prefix, number) >= (int)sizeof path) {
      errno = ENAMETOOLONG;
      break;
    }
    const int log = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (log >= 0) return log;
    if (errno != EEXIST) break;
  }
  snprintf(message, CW_MESSAGE_BYTES, "%.200s.steer-log could not be made (%s)", prefix, strerror(errno));
  return -1;
}

int cw_log_writer_open(const char* prefix, const struct cw_steering* steering, char* message) {
  struct cw_buffer text;
  if (!make_buffer(&text, (size_t)steering->machine.n_cores, message)) return -1;
  cw_log_write_head(steering, &text);
  int log = make_file(prefix, message);
  if (log >= 0 && !write_whole(log, &text, message)) {
    close(log);
    log = -1;
  }
  free(text.data);
  return log;
}

bool cw_log_writer_add(int log, const struct cw_snapshot* snapshot, const struct cw_decision* decision,
                       char* message) {
  struct cw_buffer text;
  const int32_t n_lines = snapshot->n_ranks + snapshot->n_peers + snapshot->n_cores + snapshot->n_targets;
  if (!make_buffer(&text, (size_t)n_lines, message)) return false;
  cw_log_write_interval(snapshot, decision, &text);
  const bool written = write_whole(log, &text, message);
  free(text.data);
  return written;
}
