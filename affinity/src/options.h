/* Turns the caller's options into the settings of a plan. */
#ifndef CW_AFFINITY_OPTIONS_H
#define CW_AFFINITY_OPTIONS_H

#include "settings.h"

/* Fills in the defaults, checks the options, then applies the overrides. Destroy `settings` after a failure
 * too. Returns CW_OK, CW_ERR_NO_MEMORY, or CW_ERR_ARGUMENT or CW_ERR_OVERRIDE with a message. */
cw_status_t cw_options_resolve(const cw_thread_plan_options_t* options, struct cw_settings* settings);

#endif
