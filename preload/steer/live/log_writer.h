/* Writes the steering logs of a node, one interval at a time. */
#ifndef COREWISE_STEER_LOG_WRITER_H
#define COREWISE_STEER_LOG_WRITER_H

#include "log.h"
#include "share/own_descriptor.h"

enum { CW_LOG_PATH_BYTES = 4200 };

/* The consecutive logs of one leader. Each is closed when it exceeds settings.log_bytes. The first log and
 * the last two are kept. */
struct cw_log_writer {
  const char* prefix;
  const struct cw_steering* steering;
  struct cw_own_file file;
  int64_t bytes;                   /* size of the file */
  int number;                      /* in its name */
  int n_files;                     /* logs started so far */
  char kept[2][CW_LOG_PATH_BYTES]; /* the last two logs, except the first; the open one is last */
};

/* Both arguments must outlive the writer. */
struct cw_log_writer cw_log_writer_begin(const char* prefix, const struct cw_steering* steering);

/* Must the next interval go into a new log, for which the decision function restarts? */
bool cw_log_writer_is_full(const struct cw_log_writer* writer);

/* Closes the log: the next interval goes into a new one. */
void cw_log_writer_close(struct cw_log_writer* writer);

/* Appends an interval with its decision. If no log is open, first creates one with its head:
 * PREFIX.steer-log, or PREFIX-2.steer-log and so on if that exists. False: it could not be written; `message`
 * (CW_MESSAGE_BYTES) says why. */
bool cw_log_writer_add(struct cw_log_writer* writer, const struct cw_snapshot* snapshot,
                       const struct cw_decision* decision, char* message);

#endif
