/* The one sentence that tells the caller why a plan could not be made. */
#ifndef CW_AFFINITY_FAILURE_H
#define CW_AFFINITY_FAILURE_H

#include "corewise/affinity.h"

/* Writes the sentence into options->message, where there is one, and returns `status`. */
cw_status_t cw_fail(const cw_thread_plan_options_t* options, cw_status_t status, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
