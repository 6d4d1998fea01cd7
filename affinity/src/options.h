/* From the caller's options to the settings of a plan. */
#ifndef CW_AFFINITY_OPTIONS_H
#define CW_AFFINITY_OPTIONS_H

#include "settings.h"

/* Defaults, checks, then the overrides on top. Destroy `settings` after a failure too. CW_OK,
 * CW_ERR_NO_MEMORY, or CW_ERR_ARGUMENT or CW_ERR_OVERRIDE with a sentence. */
cw_status_t cw_options_resolve(const cw_thread_plan_options_t* options, struct cw_settings* settings);

#endif
