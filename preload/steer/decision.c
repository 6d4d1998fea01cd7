/* See decision.h. */
#include "decision.h"

#include "metrics/registry.h"

/* Fields that are never read: a replay compares whole lines. */
#define WRITTEN(record, member) CW_NUMBER(record, member, INT64_MIN, INT64_MAX)

static const struct cw_field DECISION[] = {
    WRITTEN(cw_decision, swap),
    WRITTEN(cw_decision, undoes),
    WRITTEN(cw_decision, before_ns),
    WRITTEN(cw_decision, after_ns),
};

static const struct cw_field PROPOSAL[] = {
    WRITTEN(cw_proposal, rank_a), WRITTEN(cw_proposal, rank_b),     WRITTEN(cw_proposal, core_a),
    WRITTEN(cw_proposal, core_b), WRITTEN(cw_proposal, confidence), WRITTEN(cw_proposal, gain),
    WRITTEN(cw_proposal, weight),
};

const char* cw_action_name(int64_t action) {
  static const char* const NAMES[] = {"none", "swap", "keep", "undo", "give-up", "assist"};
  return NAMES[action];
}

void cw_decision_write(const struct cw_decision* decision, struct cw_buffer* buffer) {
  cw_buffer_add(buffer, "decision %s", cw_action_name(decision->action));
  if (decision->action != CW_ACTION_NONE) {
    cw_buffer_add(buffer, " %s", cw_metrics[decision->proposal.metric].name);
    cw_fields_write(buffer, DECISION, sizeof DECISION / sizeof *DECISION, decision);
    cw_fields_write(buffer, PROPOSAL, sizeof PROPOSAL / sizeof *PROPOSAL, &decision->proposal);
    for (int i = 0; i < CW_N_EVIDENCE; ++i)
      cw_buffer_add(buffer, "%s%lld", i == 0 ? " evidence=" : ",", (long long)decision->proposal.evidence[i]);
  }
  cw_buffer_add(buffer, "\n");
}

static void add_times(const struct cw_decision* decision, struct cw_buffer* sentence) {
  cw_buffer_add(sentence, "an iteration took %.3f ms before the swap and %.3f ms after it",
                (double)decision->before_ns / 1e6, (double)decision->after_ns / 1e6);
}

void cw_decision_because(const struct cw_decision* decision, struct cw_buffer* sentence) {
  switch (decision->action) {
    case CW_ACTION_SWAP:
    case CW_ACTION_ASSIST:
      cw_metrics[decision->proposal.metric].because(&decision->proposal, sentence);
      break;
    case CW_ACTION_UNDO:
      if (decision->after_ns == 0) {
        cw_buffer_add(sentence, "too few iterations ended after the swap to judge it");
        break;
      }
      add_times(decision, sentence);
      break;
    case CW_ACTION_KEEP:
      add_times(decision, sentence);
      break;
    case CW_ACTION_GIVE_UP:
      cw_buffer_add(sentence, "the processes were not swapped, or no answer came in time");
      break;
    default:
      break;
  }
}
