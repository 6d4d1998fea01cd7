/* The decision function: from what was seen in an interval and the state so far to one decision.
 *
 * It reads no clock and touches nothing else, so that live runs, dry runs, replays and explanations are the
 * same code, and a log gives the same decisions again. */
#ifndef COREWISE_STEER_DECIDE_H
#define COREWISE_STEER_DECIDE_H

#include "analysis_index.h"
#include "decision.h"
#include "flow_steering.h"
#include "guard.h"
#include "metrics/registry.h"

enum cw_phase {
  CW_PHASE_WATCH,     /* a window of observations grows */
  CW_PHASE_ACTING,    /* the actuator was asked for a swap */
  CW_PHASE_SETTLING,  /* just after a swap: not observed */
  CW_PHASE_PROBATION, /* a window after a swap grows */
  CW_PHASE_UNDOING    /* the actuator was asked to take a swap back */
};

struct cw_decide_state {
  int64_t phase;
  int64_t since_ns;        /* when it began */
  int64_t n_swaps;         /* numbers given so far */
  int64_t watched_windows; /* left in which the last swap may still be taken back */
  int64_t worse_windows; /* of those, the last ones in a row in which an iteration took longer than before */
  int64_t assisted_rank; /* rank + 1 that assistance was last advised for (advice is given once), or 0 */
  int64_t ask_again_ns;  /* no node is asked for anything before */
  int64_t n_proposing;   /* windows in a row that proposed the same swap, and which */
  struct cw_proposal proposed;
  struct cw_progress proposing; /* of them, the one in which an iteration took the least time */
  struct cw_decision last;      /* the swap that is under way, on probation or watched */
  struct cw_progress before;    /* window before that swap */
  int64_t undone_ns;        /* an iteration took so long while it lasted, if it was just taken back; or 0 */
  int64_t step_best_ns;     /* least time of an iteration outside swaps in steps; 0: there was none yet */
  int64_t n_quiet_windows;  /* watched since a swap was last proposed, under way or judged */
  int64_t n_packet_windows; /* those of them in which receive flow steering would have helped */
  struct cw_flow_steering flow_steering; /* the last of those */
  struct cw_analysis analysis;
  struct cw_analysis_index index; /* of a whole window */
  struct cw_guard guard;
};

/* What stays the same for a whole job on one node. */
struct cw_steering {
  struct cw_steer_machine machine;
  struct cw_steer_settings settings;
  struct cw_confidences confidences;
  int64_t priority[CW_N_METRICS]; /* 1 goes first, 0: not asked */
};

/* Defaults of the registers; the machine is empty. */
void cw_steering_init(struct cw_steering* steering);

/* One step. `state` is all zero before the first; it alone is changed. Names of cores in `snapshot` are those
 * of the machine (cw_snapshot_fits()). */
struct cw_decision cw_decide(const struct cw_steering* steering, const struct cw_snapshot* snapshot,
                             struct cw_decide_state* state);

/* Whether receive flow steering would have helped in most windows without a swap, and in enough of them for
 * one to have been proposed. */
bool cw_decide_advises_flow_steering(const struct cw_steering* steering, const struct cw_decide_state* state);

/* Whether no swap is under way, on probation or watched after it was kept. */
bool cw_decide_is_idle(const struct cw_decide_state* state);

#endif
