/* Writes the logs of a node's steering, interval by interval. */
#ifndef COREWISE_STEER_LOG_WRITER_H
#define COREWISE_STEER_LOG_WRITER_H

#include "log.h"
#include "share/own_descriptor.h"

enum { CW_LOG_PATH_BYTES = 4200 };

/* The logs of one leader: one after the other, each up to settings.log_bytes long and one interval. The first
 * one and the last two are kept. */
struct cw_log_writer {
  const char* prefix;
  const struct cw_steering* steering;
  struct cw_own_file file;
  int64_t bytes;                   /* in it */
  int number;                      /* of its name */
  int n_files;                     /* begun so far */
  char kept[2][CW_LOG_PATH_BYTES]; /* the one before the open one, and that; without the first */
};

/* Both outlive the writer. */
struct cw_log_writer cw_log_writer_begin(const char* prefix, const struct cw_steering* steering);

/* Whether the next interval belongs into another log, for which the decision function starts again. */
bool cw_log_writer_is_full(const struct cw_log_writer* writer);

/* Ends a log: the next interval goes into a new one. */
void cw_log_writer_close(struct cw_log_writer* writer);

/* Appends an interval with its decision, whole or not at all as far as the file system lets it; where no log
 * is open, first makes one with its head, PREFIX.steer-log or, where that is there, PREFIX-2.steer-log and so
 * on. False: it could not be written, for which `message` (CW_MESSAGE_BYTES) has the reason. */
bool cw_log_writer_add(struct cw_log_writer* writer, const struct cw_snapshot* snapshot,
                       const struct cw_decision* decision, char* message);

#endif
