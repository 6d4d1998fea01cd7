/* What a metric is: a pure function from what was observed to proposals. */
#ifndef COREWISE_STEER_METRICS_METRIC_H
#define COREWISE_STEER_METRICS_METRIC_H

#include "../analysis_index.h"

enum cw_proposal_kind {
  CW_PROPOSE_SWAP,      /* the two ranks exchange their cores */
  CW_PROPOSE_REQUEST,   /* the node of rank_a is asked to bring it to a core like its peer's */
  CW_PROPOSE_ASSISTANCE /* progress assistance for rank_a: something tests its requests while it computes */
};

enum { CW_MOST_PROPOSALS = 16, CW_N_EVIDENCE = 4 };

/* Ranks are world ranks, cores logical ones of this node. */
struct cw_proposal {
  int64_t metric; /* row of the register */
  int64_t kind;
  int64_t rank_a;
  int64_t rank_b; /* -1 without one */
  int64_t core_a; /* where they are now; -1 on another node */
  int64_t core_b;
  int64_t confidence; /* parts per thousand */
  int64_t gain;       /* predicted, parts per thousand of the time; -1: the metric predicts none */
  int64_t leader;     /* lowest rank among those that show the symptom; -1 where one node decides alone */
  int64_t weight; /* among proposals of one metric the greatest goes first; of a request, the capability */
  int64_t evidence[CW_N_EVIDENCE]; /* what the metric's `because` tells */
};

struct cw_proposals {
  int32_t n;
  struct cw_proposal at[CW_MOST_PROPOSALS]; /* the greatest weight first, then the lowest rank_a and rank_b */
};

/* Keeps the CW_MOST_PROPOSALS best. */
void cw_proposals_add(struct cw_proposals* proposals, const struct cw_proposal* proposal);

struct cw_metric_row {
  const char* name;
  int64_t priority; /* 1 goes first; 0: not asked */
  unsigned needs;   /* bits (1 << cw_monitor_id): monitors that are on for it */
  bool in_steps;    /* its swaps are steps to one end: each that costs nothing is kept */
  void (*propose)(const struct cw_view* view, struct cw_proposals* proposals);
  void (*because)(const struct cw_proposal* proposal, struct cw_buffer* sentence);
};

/* a / b in parts per thousand; a million where b is 0 and a is not. */
int64_t cw_per_thousand(int64_t a, int64_t b);

#endif
