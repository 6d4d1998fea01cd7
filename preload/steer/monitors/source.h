/* The functions of a monitor in a running job. */
#ifndef COREWISE_STEER_MONITORS_SOURCE_H
#define COREWISE_STEER_MONITORS_SOURCE_H

#include <stdbool.h>

#include "machine.h"
#include "monitors/registry.h"
#include "sample.h"
#include "settings.h"

struct cw_slot_content; /* share/slots.h */

/* Unneeded functions are NULL. Only one thread at a time calls them. The leader reads schedstat of other
 * processes directly, in observations.c. */
struct cw_source {
  /* In every rank, when steering starts. False: the monitor can't be read here and is turned off. */
  bool (*start)(const struct cw_steer_machine* machine, struct cw_steer_settings* settings);
  /* In every rank, once per interval: sets the monitor's fields of `content` for this rank. */
  void (*read_rank)(struct cw_slot_content* content);
  /* In the leader, once per interval: sets the monitor's totals in cores[core] for every core. False:
   * failed. */
  bool (*read_cores)(const struct cw_steer_machine* machine, struct cw_core_sample* cores);
  /* In every rank, before MPI_Finalize, even if it was not started. */
  void (*finish)(void);
};

/* [cw_monitor_id] */
extern const struct cw_source* const cw_sources[CW_N_MONITORS];

#endif
