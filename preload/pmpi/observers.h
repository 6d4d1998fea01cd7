/* The register of the observers. */
#ifndef COREWISE_PMPI_OBSERVERS_H
#define COREWISE_PMPI_OBSERVERS_H

#include "observer.h"

/* In the order in which they are called. */
extern const struct cw_observer* const cw_observers[];
extern const int cw_n_observers;

/* The one whose counting is compiled into the wrappers. */
extern const struct cw_observer* const cw_counting_observer;

#endif
