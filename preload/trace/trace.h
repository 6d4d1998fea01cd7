/* The trace observer: counts every call in rows of the profile (FORMATS.md, "Profile"). */
#ifndef COREWISE_TRACE_TRACE_H
#define COREWISE_TRACE_TRACE_H

#include "../pmpi/observer.h"

extern const struct cw_observer cw_trace_observer;

#endif
