/* A decision: what to do and what it rests on, as a line of the log and as a sentence. */
#ifndef COREWISE_STEER_DECISION_H
#define COREWISE_STEER_DECISION_H

#include "metrics/metric.h"

enum cw_action {
  CW_ACTION_NONE,
  CW_ACTION_SWAP,    /* the actuator swaps the proposal's ranks */
  CW_ACTION_KEEP,    /* the swap was worth it */
  CW_ACTION_UNDO,    /* it was not: the actuator swaps the same ranks again */
  CW_ACTION_GIVE_UP, /* the actuator could not do the swap, or did not answer */
  CW_ACTION_ASSIST,  /* advice: progress assistance for rank_a */
  CW_ACTION_ASK      /* the node of rank_a is asked to move it */
};

struct cw_decision {
  int64_t action;
  int64_t swap;      /* number of the swap that it is about, from 1; an undo has its own number */
  int64_t undoes;    /* number of the swap that an undo takes back, else 0 */
  int64_t before_ns; /* time of an iteration before and after the swap; 0 where not known */
  int64_t after_ns;
  struct cw_proposal proposal;
};

/* "swap", "undo", ...; the word of a decision in the log. */
const char* cw_action_name(int64_t action);

/* "decision ..." with all its numbers and the end of the line: what a log holds and a replay compares. */
void cw_decision_write(const struct cw_decision* decision, struct cw_buffer* buffer);

/* What was seen: the metric's sentence for a proposal, the two times for a verdict. */
void cw_decision_because(const struct cw_decision* decision, struct cw_buffer* sentence);

#endif
