/* The overrides: a text in the format of COREWISE_AFFINITY that overrides the caller's options. */
#ifndef CW_AFFINITY_OVERRIDE_H
#define CW_AFFINITY_OVERRIDE_H

#include <stdbool.h>

#include "settings.h"

/* Is `name` a reserved key of the overrides, such as "policy"? Roles can't have these names. */
bool cw_is_setting(const char* name);

/* Parses the text into `settings`. Returns CW_OK, CW_ERR_NO_MEMORY, or CW_ERR_OVERRIDE with a message. */
cw_status_t cw_override_parse(const char* text, struct cw_settings* settings);

#endif
