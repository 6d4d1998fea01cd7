/* A decision: what to do and why, as a line of the log and as a sentence. */
#ifndef COREWISE_STEER_DECISION_H
#define COREWISE_STEER_DECISION_H

#include "metrics/metric.h"

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

#endif
