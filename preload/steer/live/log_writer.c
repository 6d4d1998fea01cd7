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
  MOST_TRIES = 1000,            /* existing files to skip */
  LINE_BYTES = 640,             /* at most, for a line of any kind */
  HEAD_BYTES = 4096 + 64 * 1024 /* settings and registers; plus LINE_BYTES for each core */
};

/* Exceeding the process's file size limit would send SIGXFSZ. */
static bool has_room(int log, size_t bytes) {
  struct rlimit limit;
  struct stat found;
  if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return true;
  return fstat(log, &found) == 0 && (rlim_t)found.st_size + bytes <= limit.rlim_cur;
}

static bool write_whole(struct cw_log_writer* writer, const struct cw_buffer* text, char* message) {
  size_t written = 0;
  const bool open = cw_own_file_is_open(&writer->file);
  const bool fits = open && has_room(writer->file.descriptor, text->used);
  if (!fits) errno = open ? EFBIG : EBADF;
  while (!text->overflow && fits && written < text->used) {
    const ssize_t n = write(writer->file.descriptor, text->data + written, text->used - written);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    written += (size_t)n;
  }
  writer->bytes += (int64_t)written;
  if (!text->overflow && written == text->used) return true;
  snprintf(message, CW_MESSAGE_BYTES, "the log of steering could not be written (%s)",
           text->overflow ? "an interval is too long" : strerror(errno));
  return false;
}

/* Allocates room for `n_lines` lines; false: out of memory. */
static bool make_buffer(struct cw_buffer* text, size_t n_lines, char* message) {
  *text = (struct cw_buffer){.size = HEAD_BYTES + n_lines * LINE_BYTES};
  text->data = malloc(text->size);
  if (text->data == NULL) snprintf(message, CW_MESSAGE_BYTES, "no memory for the log of steering");
  if (text->data != NULL) text->data[0] = '\0';
  return text->data != NULL;
}

struct cw_log_writer cw_log_writer_begin(const char* prefix, const struct cw_steering* steering) {
  return (struct cw_log_writer){.prefix = prefix, .steering = steering, .file = {.descriptor = -1}};
}

bool cw_log_writer_is_full(const struct cw_log_writer* writer) {
  return writer->file.descriptor >= 0 && writer->bytes >= writer->steering->settings.log_bytes;
}

void cw_log_writer_close(struct cw_log_writer* writer) { cw_own_file_close(&writer->file); }

/* Deletes the third-newest log, except the first log. */
static void keep(struct cw_log_writer* writer, const char* path) {
  if (++writer->n_files == 1) return;
  if (writer->kept[0][0] != '\0') unlink(writer->kept[0]);
  memcpy(writer->kept[0], writer->kept[1], sizeof writer->kept[0]);
  snprintf(writer->kept[1], sizeof writer->kept[1], "%s", path);
}

static bool make_file(struct cw_log_writer* writer, char* message) {
  char path[CW_LOG_PATH_BYTES], number[16] = "";
  for (int tries = 0; tries < MOST_TRIES; ++tries) {
    if (++writer->number > 1) snprintf(number, sizeof number, "-%d", writer->number);
    if (snprintf(path, sizeof path, "%s%s.steer-log", writer->prefix, number) >= (int)sizeof path) {
      errno = ENAMETOOLONG;
      break;
    }
    const int made = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
    writer->bytes = 0;
    if (made >= 0) {
      (void)fchmod(made, 0600); /* whatever the program's umask */
      writer->file = cw_own_file_keep(made);
      keep(writer, path);
      return true;
    }
    if (errno != EEXIST) break;
  }
  snprintf(message, CW_MESSAGE_BYTES, "%.200s.steer-log could not be made (%s)", writer->prefix,
           strerror(errno));
  return false;
}

static bool make_log(struct cw_log_writer* writer, char* message) {
  struct cw_buffer text;
  if (!make_buffer(&text, (size_t)writer->steering->machine.n_cores, message)) return false;
  cw_log_write_head(writer->steering, &text);
  const bool made = make_file(writer, message) && write_whole(writer, &text, message);
  if (!made) cw_log_writer_close(writer);
  free(text.data);
  return made;
}

bool cw_log_writer_add(struct cw_log_writer* writer, const struct cw_snapshot* snapshot,
                       const struct cw_decision* decision, char* message) {
  struct cw_buffer text;
  const int32_t n_lines = snapshot->n_ranks + snapshot->n_peers + snapshot->n_cores + snapshot->n_targets;
  if (writer->file.descriptor < 0 && !make_log(writer, message)) return false;
  if (!make_buffer(&text, (size_t)n_lines, message)) return false;
  cw_log_write_interval(snapshot, decision, &text);
  const bool written = write_whole(writer, &text, message);
  free(text.data);
  return written;
}
