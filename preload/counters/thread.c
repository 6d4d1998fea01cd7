/* Definition of the thread-local block of thread.h. */
#include "thread.h"

__thread struct cw_thread cw_thread __attribute__((tls_model("initial-exec"), aligned(64)));
