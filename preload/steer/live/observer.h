/* The steer observer. */
#ifndef COREWISE_STEER_OBSERVER_H
#define COREWISE_STEER_OBSERVER_H

#include "../../pmpi/observer.h"

/* Watches the calls of this rank, shares its counters with the other ranks of the node, and steers the node
 * if this rank leads it. Its environment variables are in preload/README.md. */
extern const struct cw_observer cw_steer_observer;

#endif
