/* How a monitor is read in a running job. */
#ifndef COREWISE_STEER_MONITORS_SOURCE_H
#define COREWISE_STEER_MONITORS_SOURCE_H

#include <stdbool.h>

#include "machine.h"
#include "monitors/registry.h"
#include "sample.h"
#include "settings.h"

struct cw_slot_content; /* share/slots.h */

/* Functions that a monitor has no use for are NULL. One thread at a time calls them. What another process
 * tells of a rank is read by observations.c itself (schedstat.h). */
struct cw_source {
  /* In every rank, when steering starts. False: it can't be read here, and is off. */
  bool (*start)(const struct cw_steer_machine* machine, struct cw_steer_settings* settings);
  /* Once an interval, by every rank of itself: sets its fields of `content`. */
  void (*read_rank)(struct cw_slot_content* content);
  /* Once an interval, by the leader: sets its totals of every core, `cores[core]`. False: they can't be read.
   */
  bool (*read_cores)(const struct cw_steer_machine* machine, struct cw_core_sample* cores);
  /* In every rank, before MPI_Finalize, whether it was started or not. */
  void (*finish)(void);
};

/* [cw_monitor_id] */
extern const struct cw_source* const cw_sources[CW_N_MONITORS];

#endif
