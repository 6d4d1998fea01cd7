/* The message for the caller: why a plan could not be created. */
#ifndef CW_AFFINITY_FAILURE_H
#define CW_AFFINITY_FAILURE_H

#include "corewise/affinity.h"

/* Writes the message into options->message unless that is NULL. Returns `status`. */
cw_status_t cw_fail(const cw_thread_plan_options_t* options, cw_status_t status, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
