/* Thresholds of the metrics and the guard. A log contains them, so that a replay uses the same ones. */
#ifndef COREWISE_STEER_SETTINGS_H
#define COREWISE_STEER_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "fields.h"

/* For settings.def. */
#define CW_MS INT64_C(1000000) /* ns */
#define CW_MOST_NS INT64_C(1000000000000000)

/* A member for each row of settings.def, which has units, meanings and sources. */
struct cw_steer_settings {
#define CW_SETTING(name, ...) int64_t name;
#include "settings.def"
};

struct cw_steer_settings cw_steer_settings_default(void);

/* Reads the fields of a line "settings ..."; other settings keep their values. */
bool cw_steer_settings_read(const char* fields, struct cw_steer_settings* settings, char* message);

void cw_steer_settings_write(const struct cw_steer_settings* settings, struct cw_buffer* buffer);

#endif
