/* Steering's log: the input and output of the decision function (FORMATS.md, "Steering's log"). A replay
 * reads snapshots from it, recorded or synthetic, instead of from monitors. */
#ifndef COREWISE_STEER_LOG_H
#define COREWISE_STEER_LOG_H

#include <stdio.h>

#include "decide.h"

enum { CW_LOG_LINE_BYTES = 1024 };

/* A log that is being read. */
struct cw_log {
  FILE* file;
  const char* path;
  int line_number;
  bool ahead;                   /* `line` was read, but not used yet */
  char line[CW_LOG_LINE_BYTES]; /* without its end of line */
  struct cw_steering steering;
};

/* One interval: the snapshot and the recorded decision line, with '\n'. In synthetic logs, intervals end with
 * the line "decide", and `recorded` is "". */
struct cw_log_interval {
  struct cw_snapshot snapshot;
  char recorded[CW_LOG_LINE_BYTES + 1];
};

/* Opens a log and reads its head. False: `message` says why; nothing stays open. */
bool cw_log_open(const char* path, struct cw_log* log, char* message);

/* Reads the next complete interval. 1: found; 0: end of the log, maybe after an interval that was cut off;
 * -1: `message` describes the error and its line. */
int cw_log_next(struct cw_log* log, struct cw_log_interval* interval, char* message);

void cw_log_close(struct cw_log* log);

/* Appends the first line, machine, settings, confidences and priorities. */
void cw_log_write_head(const struct cw_steering* steering, struct cw_buffer* buffer);

void cw_log_write_interval(const struct cw_snapshot* snapshot, const struct cw_decision* decision,
                           struct cw_buffer* buffer);

#endif
