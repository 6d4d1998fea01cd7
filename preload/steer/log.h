/* Steering's log: what the decision function was given, and what it answered (FORMATS.md, "Steering's log").
 *
 * Recorded or made snapshots are fed through it in place of the monitors: this is the replay monitor. */
#ifndef COREWISE_STEER_LOG_H
#define COREWISE_STEER_LOG_H

#include <stdio.h>

#include "decide.h"

enum { CW_LOG_LINE_BYTES = 1024 };

/* A log that is read; closed by cw_log_close(). */
struct cw_log {
  FILE* file;
  const char* path;
  int line_number;
  bool is_old;                  /* of format 1 */
  bool ahead;                   /* `line` was read and not used yet */
  char line[CW_LOG_LINE_BYTES]; /* without its end of line */
  struct cw_steering steering;
};

/* One interval: what was seen, and the recorded decision line with its end; "" in made snapshots, which end
 * an interval with "decide". */
struct cw_log_interval {
  struct cw_snapshot snapshot;
  char recorded[CW_LOG_LINE_BYTES + 1];
};

/* Opens a log and reads its head. False: `message` says why not, and nothing is left open. */
bool cw_log_open(const char* path, struct cw_log* log, char* message);

/* The next whole interval; one that was cut off with the job is left out. 1: there is one; 0: the log ends
 * here; -1: `message` names the line. */
int cw_log_next(struct cw_log* log, struct cw_log_interval* interval, char* message);

void cw_log_close(struct cw_log* log);

/* First line, machine, settings, confidences and priorities. */
void cw_log_write_head(const struct cw_steering* steering, struct cw_buffer* buffer);

/* An interval and its decision. */
void cw_log_write_interval(const struct cw_snapshot* snapshot, const struct cw_decision* decision,
                           struct cw_buffer* buffer);

#endif
