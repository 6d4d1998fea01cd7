/* The decision function: computes one decision from a snapshot of an interval and the state so far.
 *
 * It reads no clock and has no side effects. So live runs, dry runs, replays and explanations use the same
 * code, and a log gives the same decisions again. */
#ifndef COREWISE_STEER_DECIDE_H
#define COREWISE_STEER_DECIDE_H

#include "analysis.h"
#include "decision.h"
#include "flow_steering.h"
#include "guard.h"
#include "metrics/registry.h"

enum cw_phase {
  CW_PHASE_WATCH,     /* collects a window of observations */
  CW_PHASE_ACTING,    /* waits until the actuator has done a swap */
  CW_PHASE_SETTLING,  /* right after a swap: ignores observations */
  CW_PHASE_PROBATION, /* collects a window after a swap, to judge it */
  CW_PHASE_UNDOING    /* waits until the actuator has undone a swap */
};

struct cw_decide_state {
  int64_t phase;
  int64_t since_ns;        /* start of the phase */
  int64_t n_swaps;         /* swap numbers used so far */
  int64_t watched_windows; /* windows left in which the last swap may still be undone */
  int64_t worse_windows;   /* number of consecutive watched windows, up to now, slower than before the swap */
  int64_t assisted_rank;   /* rank + 1 of the last advice of progress assistance, given once; 0: none */
  int64_t n_proposing;     /* consecutive windows that proposed `proposed` */
  struct cw_proposal proposed;
  struct cw_progress proposing; /* the fastest of these windows */
  struct cw_decision last;      /* the swap in progress, on probation or watched */
  struct cw_progress before;    /* the window before that swap */
  int64_t undone_ns;            /* time of an iteration with the swap that was just undone; 0: none */
  int64_t step_best_ns;     /* least time of an iteration in a sequence of small swaps (in_steps); 0: none */
  int64_t n_quiet_windows;  /* windows since a swap was last proposed, in progress or judged */
  int64_t n_packet_windows; /* those of them in which receive flow steering would have helped */
  struct cw_flow_steering flow_steering; /* of the last such window */
  struct cw_analysis analysis;
  struct cw_analysis_index index; /* of a complete window */
  struct cw_guard guard;
};

/* The constant input on one node. */
struct cw_steering {
  struct cw_steer_machine machine;
  struct cw_steer_settings settings;
  struct cw_confidences confidences;
  int64_t priority[CW_N_METRICS]; /* 1 is asked first; 0: never asked */
};

/* Sets the defaults of the registers, and an empty machine. */
void cw_steering_init(struct cw_steering* steering);

/* One step. Changes only `state`, which is all zero at first. Cores in `snapshot` must exist on the machine
 * (cw_snapshot_fits()). */
struct cw_decision cw_decide(const struct cw_steering* steering, const struct cw_snapshot* snapshot,
                             struct cw_decide_state* state);

/* Would receive flow steering have helped in most windows without a swap, and in enough windows? */
bool cw_decide_advises_flow_steering(const struct cw_steering* steering, const struct cw_decide_state* state);

/* True if no swap is in progress, on probation or watched. */
bool cw_decide_is_idle(const struct cw_decide_state* state);

#endif
