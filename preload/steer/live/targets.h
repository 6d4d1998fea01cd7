/* Cores that a solver outside of the job wants ranks on: the bytes of each pair are written, its answer is
 * read.
 *
 * Both are files next to the log (FORMATS.md, "Steering's pairs and targets"): a solver brings libraries that
 * the job may have in other versions, so it stays in a separate process. */
#ifndef COREWISE_STEER_TARGETS_H
#define COREWISE_STEER_TARGETS_H

#include "live/observations.h"

struct cw_targets {
  int64_t due_ns; /* CLOCK_MONOTONIC; 0: nothing was written yet */
  int32_t n;
  struct cw_target at[CW_STEER_MOST_RANKS];
};

/* Once in settings.targets_ns (0: never) writes PREFIX.pairs and reads PREFIX.targets; in every interval adds
 * to `snapshot` the targets of its ranks that are elsewhere. A file that can't be written or read, or holds
 * anything else, gives no targets. */
void cw_targets_exchange(struct cw_targets* targets, const struct cw_observations* observations,
                         const char* prefix, int64_t now_ns, struct cw_snapshot* snapshot);

#endif
