/* A metric of steering: a pure function from a window of observations to proposals. */
#ifndef COREWISE_STEER_METRICS_METRIC_H
#define COREWISE_STEER_METRICS_METRIC_H

#include "../analysis.h"

enum cw_proposal_kind {
  CW_PROPOSE_SWAP,      /* the two ranks exchange their cores */
  CW_PROPOSE_ASSISTANCE /* progress assistance for rank_a: a thread calls MPI while it computes */
};

enum { CW_MOST_PROPOSALS = 16, CW_N_EVIDENCE = 4 };

/* Ranks are world ranks, cores are logical indices on this node. */
struct cw_proposal {
  int64_t metric; /* cw_metric_id */
  int64_t kind;
  int64_t rank_a;
  int64_t rank_b; /* -1: none */
  int64_t core_a; /* current cores; -1: none */
  int64_t core_b;
  int64_t confidence;              /* parts per thousand */
  int64_t gain;                    /* predicted, parts per thousand of the time; -1: no prediction */
  int64_t weight;                  /* proposals of a metric are tried by decreasing weight */
  int64_t evidence[CW_N_EVIDENCE]; /* numbers for the metric's `because` */
};

struct cw_proposals {
  int32_t n;
  struct cw_proposal at[CW_MOST_PROPOSALS]; /* by decreasing weight, then by increasing rank_a and rank_b */
};

/* Adds a proposal; keeps the CW_MOST_PROPOSALS best. */
void cw_proposals_add(struct cw_proposals* proposals, const struct cw_proposal* proposal);

struct cw_metric_row {
  const char* name;
  int64_t priority; /* the metric with 1 is asked first; 0: never asked */
  unsigned needs;   /* monitors as bits (1 << cw_monitor_id) */
  bool in_steps;    /* its swaps are steps towards one goal: each is kept unless it costs time */
  void (*propose)(const struct cw_view* view, struct cw_proposals* proposals);
  void (*because)(const struct cw_proposal* proposal, struct cw_buffer* sentence);
};

/* a / b in parts per thousand, at most a million, also if only b is 0. */
int64_t cw_per_thousand(int64_t a, int64_t b);

#endif
