/* The observers of this library. Each watches MPI calls for one purpose. To add an observer, add a row. */
#include <stddef.h>

#include "pmpi/dispatch.h"
#include "steer/live/observer.h"
#include "trace/trace.h"
#include "verify/verify.h"

/* Called in this order: `steer` must restore masks at the end before `verify` reads them. `true`: called by
 * default. An observer that changes the job is called only if COREWISE_OBSERVE lists it. */
const struct cw_own_observer cw_own_observers[] = {
    {&cw_steer_observer, false}, {&cw_trace_observer, true}, {&cw_verify_observer, true}, {NULL, false}};
