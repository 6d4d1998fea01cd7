/* Writes the log of a node's steering, interval by interval. */
#ifndef COREWISE_STEER_LOG_WRITER_H
#define COREWISE_STEER_LOG_WRITER_H

#include "log.h"

/* Makes a new log, PREFIX.steer-log or, where that is there, PREFIX-2.steer-log and so on, with its head.
 * A descriptor, or -1: `message` (CW_MESSAGE_BYTES) says why not. */
int cw_log_writer_open(const char* prefix, const struct cw_steering* steering, char* message);

/* Appends an interval with its decision, whole or not at all as far as the file system lets it. False: it
 * could not be written, for which `message` has the reason. */
bool cw_log_writer_add(int log, const struct cw_snapshot* snapshot, const struct cw_decision* decision,
                       char* message);

#endif
