/* See log.h. */
#include "log.h"

#include <errno.h>
#include <string.h>

/* 1: `line` is the next line; 0: end of the file, or the last line has no end; -1: the line is too long or
 * contains a zero byte. */
static int next_line(struct cw_log* log, char* reason) {
  if (log->ahead) {
    log->ahead = false;
    return 1;
  }
  size_t length = 0;
  int byte;
  ++log->line_number;
  while ((byte = getc(log->file)) != EOF && byte != '\n') {
    if (byte == '\0' || length == CW_LOG_LINE_BYTES - 1) {
      snprintf(reason, CW_MESSAGE_BYTES, "found %s; expected lines of text, up to %d bytes long",
               byte == '\0' ? "a byte 0" : "a longer line", CW_LOG_LINE_BYTES - 1);
      return -1;
    }
    log->line[length++] = (char)byte;
  }
  log->line[length] = '\0';
  return byte == '\n';
}

static bool fail(const struct cw_log* log, const char* reason, char* message) {
  snprintf(message, CW_MESSAGE_BYTES, "%.120s line %d: %.180s", log->path, log->line_number, reason);
  return false;
}

struct confidence {
  int64_t confidence;
};
struct priority {
  int64_t priority;
};

static bool read_monitor(const char* text, struct cw_steering* steering, char* reason) {
  static const struct cw_field FIELD = CW_NUMBER(confidence, confidence, 0, 1000);
  const size_t length = strcspn(text, " ");
  for (int i = 0; i < CW_N_MONITORS; ++i) {
    if (strlen(cw_monitors[i].name) != length || memcmp(cw_monitors[i].name, text, length) != 0) continue;
    struct confidence read = {steering->confidences.of[i]};
    if (!cw_fields_read(text + length, &FIELD, 1, &read, reason)) return false;
    steering->confidences.of[i] = read.confidence;
    return true;
  }
  snprintf(reason, CW_MESSAGE_BYTES, "found monitor '%.40s'; expected one of this version", text);
  return false;
}

static bool read_metric(const char* text, struct cw_steering* steering, char* reason) {
  static const struct cw_field FIELD = CW_NUMBER(priority, priority, 0, CW_N_METRICS);
  const size_t length = strcspn(text, " ");
  const int64_t metric = cw_metric_find(text, length);
  if (metric < 0) {
    snprintf(reason, CW_MESSAGE_BYTES, "found metric '%.40s'; expected one of this version", text);
    return false;
  }
  struct priority read = {steering->priority[metric]};
  if (!cw_fields_read(text + length, &FIELD, 1, &read, reason)) return false;
  steering->priority[metric] = read.priority;
  return true;
}

static bool read_head_line(const char* line, struct cw_steering* steering, char* reason) {
  const char* text;
  if ((text = cw_after_word(line, "settings")))
    return cw_steer_settings_read(text, &steering->settings, reason);
  if ((text = cw_after_word(line, "monitor"))) return read_monitor(text, steering, reason);
  if ((text = cw_after_word(line, "metric"))) return read_metric(text, steering, reason);
  return cw_steer_machine_add_line(&steering->machine, line, reason);
}

static bool read_head(struct cw_log* log, char* reason) {
  int found = next_line(log, reason);
  if (found < 0) return false;
  if (found == 0 || strcmp(log->line, CW_STEER_LOG_FIRST_LINE) != 0) {
    snprintf(reason, CW_MESSAGE_BYTES, "found '%.60s'; expected '" CW_STEER_LOG_FIRST_LINE "'", log->line);
    return false;
  }
  while ((found = next_line(log, reason)) > 0 && !cw_after_word(log->line, "tick")) {
    if (!read_head_line(log->line, &log->steering, reason)) return false;
  }
  log->ahead = found > 0;
  return found >= 0 && cw_steer_machine_complete(&log->steering.machine, reason);
}

bool cw_log_open(const char* path, struct cw_log* log, char* message) {
  *log = (struct cw_log){.path = path, .file = fopen(path, "re")};
  cw_steering_init(&log->steering);
  if (!log->file) {
    snprintf(message, CW_MESSAGE_BYTES, "%.200s: %s; expected a log of corewise steer", path,
             strerror(errno));
    return false;
  }
  char reason[CW_MESSAGE_BYTES];
  if (read_head(log, reason)) return true;
  fail(log, reason, message);
  cw_log_close(log);
  return false;
}

int cw_log_next(struct cw_log* log, struct cw_log_interval* interval, char* message) {
  char reason[CW_MESSAGE_BYTES];
  int found = next_line(log, reason);
  if (found == 0) return 0;
  if (found < 0 || !cw_snapshot_begin(&interval->snapshot, log->line, reason)) goto bad;
  while ((found = next_line(log, reason)) > 0) {
    const bool decided = cw_after_word(log->line, "decision") != NULL;
    if (decided || strcmp(log->line, "decide") == 0) {
      snprintf(interval->recorded, sizeof interval->recorded, decided ? "%s\n" : "", log->line);
      if (cw_snapshot_fits(&interval->snapshot, &log->steering.machine, reason)) return 1;
      goto bad;
    }
    if (!cw_snapshot_add_line(&interval->snapshot, log->line, reason)) goto bad;
  }
  if (found == 0) return 0;
bad:
  fail(log, reason, message);
  return -1;
}

void cw_log_close(struct cw_log* log) {
  if (log->file) fclose(log->file);
  log->file = NULL;
}

void cw_log_write_head(const struct cw_steering* steering, struct cw_buffer* buffer) {
  cw_buffer_add(buffer, CW_STEER_LOG_FIRST_LINE "\n");
  cw_steer_machine_write(&steering->machine, buffer);
  cw_steer_settings_write(&steering->settings, buffer);
  for (int i = 0; i < CW_N_MONITORS; ++i)
    cw_buffer_add(buffer, "monitor %s confidence=%lld\n", cw_monitors[i].name,
                  (long long)steering->confidences.of[i]);
  for (int i = 0; i < CW_N_METRICS; ++i)
    cw_buffer_add(buffer, "metric %s priority=%lld\n", cw_metrics[i].name, (long long)steering->priority[i]);
}

void cw_log_write_interval(const struct cw_snapshot* snapshot, const struct cw_decision* decision,
                           struct cw_buffer* buffer) {
  cw_snapshot_write(snapshot, buffer);
  cw_decision_write(decision, buffer);
}
