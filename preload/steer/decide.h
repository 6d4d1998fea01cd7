/* The decision function: computes one decision from a snapshot of an interval and the state so far.
 *
 * It reads no clock and has no side effects. So live runs, dry runs, replays and explanations use the same
 * code, and a log gives the same decisions again. */
#ifndef COREWISE_STEER_DECIDE_H
#define COREWISE_STEER_DECIDE_H

#include "analysis.h"
#include "guard.h"
#include "metrics/metric.h"
#include "metrics/registry.h"

/* A decision: what to do and why, as a line of the log and as a sentence. */

enum cw_action {
  CW_ACTION_NONE,
  CW_ACTION_SWAP,    /* the actuator swaps the proposal's ranks */
  CW_ACTION_KEEP,    /* the swap helped */
  CW_ACTION_UNDO,    /* the swap did not help: the actuator swaps the same ranks again */
  CW_ACTION_GIVE_UP, /* the actuator could not do the swap, or did not answer */
  CW_ACTION_ASSIST   /* advises progress assistance for rank_a */
};

struct cw_decision {
  int64_t action;
  int64_t swap;      /* number of the swap, from 1; an undo has its own number */
  int64_t undoes;    /* for an undo: number of the swap that it undoes; else 0 */
  int64_t before_ns; /* time of an iteration before the swap; 0: unknown */
  int64_t after_ns;  /* the same after it */
  struct cw_proposal proposal;
};

/* "swap", "undo", ...: the word in the log. */
const char* cw_action_name(int64_t action);

/* Appends the line "decision ..." with all numbers, as a log contains it. */
void cw_decision_write(const struct cw_decision* decision, struct cw_buffer* buffer);

/* Appends the reason: the metric's sentence for a proposal, the two times for a verdict. */
void cw_decision_because(const struct cw_decision* decision, struct cw_buffer* sentence);

/* Advises receive flow steering of the kernel (Linux, Documentation/networking/scaling.rst) if no swap helps
 * because one core processes the packets of all ranks. */

/* The finding in one window. */
struct cw_flow_steering {
  int64_t core;  /* processes most packets; -1: flow steering would not help */
  int64_t rank;  /* on that core; waits so little that packets slow it down */
  int64_t share; /* of the node's packets, parts per thousand */
  int64_t taken; /* part of the core's time for interrupts or packets, parts per thousand */
};

/* `view` must have its index. */
struct cw_flow_steering cw_flow_steering_find(const struct cw_view* view);

/* The advice as a sentence. */
void cw_flow_steering_because(const struct cw_flow_steering* found, struct cw_buffer* sentence);

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
