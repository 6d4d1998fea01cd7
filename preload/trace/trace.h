#ifndef COREWISE_TRACE_TRACE_H
#define COREWISE_TRACE_TRACE_H

#include "../pmpi/observer.h"

/* Folds every call into rows of the profile (FORMATS.md, "Profile"). */
extern const struct cw_observer cw_trace_observer;

#endif
