/* Exchange with a solver outside the job: the bytes of each pair of ranks are written, and the solver's
 * placement is read. Both are files next to the log (FORMATS.md, "Steering's pairs and targets"). The solver
 * is a separate process, because it needs libraries that the job may have in other versions. */
#ifndef COREWISE_STEER_TARGETS_H
#define COREWISE_STEER_TARGETS_H

#include "live/observations.h"

struct cw_targets {
  int64_t due_ns; /* CLOCK_MONOTONIC of the next exchange; 0: none so far */
  int32_t n;
  struct cw_target at[CW_STEER_MOST_RANKS];
};

/* Every settings.targets_ns (0: never), writes PREFIX.pairs and reads PREFIX.targets. In every interval, adds
 * targets to `snapshot` for its ranks that are on other cores. A file that can't be written or read, or has a
 * different format, gives no targets. */
void cw_targets_exchange(struct cw_targets* targets, const struct cw_observations* observations,
                         const char* prefix, int64_t now_ns, struct cw_snapshot* snapshot);

#endif
