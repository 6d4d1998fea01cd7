/* The settings of COREWISE_AFFINITY: a text that wins over the caller's options. */
#ifndef CW_AFFINITY_OVERRIDE_H
#define CW_AFFINITY_OVERRIDE_H

#include <stdbool.h>

#include "settings.h"

/* Is `name` a key of the text other than a role's, such as "policy"? */
bool cw_is_setting(const char* name);

/* Parses the text into `settings`. CW_OK, CW_ERR_NO_MEMORY, or CW_ERR_OVERRIDE with a sentence. */
cw_status_t cw_override_parse(const char* text, struct cw_settings* settings);

#endif
