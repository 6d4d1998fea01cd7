/* The register of the observers: a new one is a row here. */
#include "observers.h"

#include "../trace/trace.h"
#include "../verify/verify.h"

/* One that blocks or acts before a call stands after those that write down what the program did. */
const struct cw_observer* const cw_observers[] = {&cw_trace_observer, &cw_verify_observer};
const int cw_n_observers = sizeof cw_observers / sizeof *cw_observers;

const struct cw_observer* const cw_counting_observer = &cw_trace_observer;
