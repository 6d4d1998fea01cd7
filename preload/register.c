/* The list of observers in this library. Each watches MPI calls for one purpose; a new one is a row here. */
#include <stddef.h>

#include "pmpi/observers.h"
#include "steer/live/observer.h"
#include "trace/trace.h"
#include "verify/verify.h"

/* The order matters: when `verify` reads the masks at the end, `steer` has ended. An observer that acts on
 * the job is called only if COREWISE_OBSERVE lists it. */
const struct cw_own_observer cw_own_observers[] = {
    {&cw_steer_observer, false}, {&cw_trace_observer, true}, {&cw_verify_observer, true}, {NULL, false}};
