/* The steer observer. */
#ifndef COREWISE_STEER_OBSERVER_H
#define COREWISE_STEER_OBSERVER_H

#include "../../pmpi/observer.h"

/* Watches the calls of this rank, tells the node's other ranks of them in shared memory, and steers the node
 * where this rank leads it. The variables that it reads are in preload/README.md. */
extern const struct cw_observer cw_steer_observer;

#endif
