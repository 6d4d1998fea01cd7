/* Follows swaps through a log: from the decision to the actuator's answer and the verdict. */
#include "story.h"

#include <stdlib.h>
#include <string.h>

static const char ADVISED[] = "advised";
static const char NOT_DONE[] = "not done";
static const char DRY_RUN[] = "not done: dry run";

static struct cw_story_row* row_of_swap(struct cw_story* story, int64_t swap) {
  for (size_t i = story->n_rows; i-- > 0;) {
    if (story->rows[i].decision.swap == swap) return &story->rows[i];
  }
  return NULL;
}

static void set_outcome(struct cw_story_row* row, const char* outcome) {
  if (row) snprintf(row->outcome, sizeof row->outcome, "%s", outcome);
}

static const char* first_outcome(const struct cw_decision* decision, bool dry_run) {
  if (decision->action == CW_ACTION_ASSIST) return ADVISED;
  if (decision->action == CW_ACTION_ASK) return "asked";
  return dry_run ? DRY_RUN : "no answer when the log ended";
}

static bool add_row(struct cw_story* story, const struct cw_snapshot* snapshot,
                    const struct cw_steer_settings* settings, const struct cw_decision* decision) {
  if (story->n_rows == story->room) {
    const size_t room = story->room ? 2 * story->room : 16;
    struct cw_story_row* rows = realloc(story->rows, room * sizeof *rows);
    if (!rows) return false;
    story->rows = rows;
    story->room = room;
  }
  struct cw_story_row* row = &story->rows[story->n_rows++];
  *row = (struct cw_story_row){.time_ns = snapshot->time_ns, .decision = *decision};
  struct cw_buffer because = {row->because, sizeof row->because, 0, false};
  cw_decision_because(decision, &because);
  if (decision->action == CW_ACTION_ASSIST) ++story->n_advised;
  set_outcome(row, first_outcome(decision, settings->dry_run != 0));
  return true;
}

/* A rank that tells of its progress thread follows the advice. */
static void follow_advice(struct cw_story* story, const struct cw_snapshot* snapshot) {
  for (int32_t i = 0; i < snapshot->n_ranks && story->n_advised > 0; ++i) {
    if (!snapshot->ranks[i].assisted) continue;
    for (size_t n = 0; n < story->n_rows; ++n) {
      struct cw_story_row* row = &story->rows[n];
      const bool is_advice = row->decision.action == CW_ACTION_ASSIST && strcmp(row->outcome, ADVISED) == 0;
      if (!is_advice || row->decision.proposal.rank_a != snapshot->ranks[i].id) continue;
      set_outcome(row, "a thread of the rank makes progress from then on");
      --story->n_advised;
    }
  }
}

static void follow_result(struct cw_story* story, const struct cw_swap_result* result) {
  struct cw_story_row* row = result->swap ? row_of_swap(story, result->swap) : NULL;
  if (!row || !result->done) return;
  if (row->decision.action == CW_ACTION_UNDO) {
    set_outcome(row, "done");
  } else {
    ++story->n_swaps;
    set_outcome(row, "on probation when the log ended");
  }
}

static void follow_verdict(struct cw_story* story, const struct cw_decision* decision, bool dry_run) {
  struct cw_story_row* row = row_of_swap(story, decision->swap);
  if (!row) return;
  if (decision->action == CW_ACTION_GIVE_UP) {
    set_outcome(row, dry_run ? DRY_RUN : NOT_DONE);
  } else {
    struct cw_buffer outcome = {row->outcome, sizeof row->outcome, 0, false};
    cw_buffer_add(&outcome, "kept: ");
    cw_decision_because(decision, &outcome);
  }
}

static void follow_undo(struct cw_story* story, const struct cw_decision* decision) {
  struct cw_story_row* row = row_of_swap(story, decision->undoes);
  ++story->n_rollbacks;
  set_outcome(row, row && strncmp(row->outcome, "kept", 4) == 0 ? "kept, then taken back" : "taken back");
}

/* The interval in which a swap's answer came belongs to neither side. */
static void follow_time(struct cw_story* story, const struct cw_snapshot* snapshot, int64_t node) {
  if (snapshot->result.done) {
    story->any_done = true;
    story->after = (struct cw_story_time){0};
    return;
  }
  struct cw_story_time* time = story->any_done ? &story->after : &story->before;
  for (int32_t i = 0; i < snapshot->n_ranks; ++i) {
    const struct cw_rank_sample* rank = &snapshot->ranks[i];
    if (rank->node != node) continue;
    time->wait += rank->wait_ns;
    time->all += rank->compute_ns + rank->wait_ns + rank->transfer_ns;
  }
}

static void compare(struct cw_story* story, const struct cw_log_interval* interval,
                    const struct cw_decision* decision) {
  char text[CW_LOG_LINE_BYTES + 1];
  struct cw_buffer again = {text, sizeof text, 0, false};
  if (interval->recorded[0] == '\0') return;
  cw_decision_write(decision, &again);
  ++story->n_compared;
  if (story->differs_at == 0 && strcmp(text, interval->recorded) != 0) {
    story->differs_at = interval->snapshot.number;
    memcpy(story->recorded, interval->recorded, sizeof story->recorded);
    memcpy(story->again, text, sizeof text);
  }
}

bool cw_story_add(struct cw_story* story, const struct cw_log_interval* interval,
                  const struct cw_steer_settings* settings, const struct cw_decision* decision) {
  if (story->first_interval == 0) story->first_interval = interval->snapshot.number;
  story->own_messages += interval->snapshot.own_messages;
  story->own_bytes += interval->snapshot.own_bytes;
  compare(story, interval, decision);
  follow_time(story, &interval->snapshot, settings->node);
  follow_advice(story, &interval->snapshot);
  follow_result(story, &interval->snapshot.result);
  switch (decision->action) {
    case CW_ACTION_UNDO:
      follow_undo(story, decision);
      return add_row(story, &interval->snapshot, settings, decision);
    case CW_ACTION_SWAP:
    case CW_ACTION_ASSIST:
    case CW_ACTION_ASK:
      return add_row(story, &interval->snapshot, settings, decision);
    case CW_ACTION_KEEP:
    case CW_ACTION_GIVE_UP:
      follow_verdict(story, decision, settings->dry_run != 0);
      return true;
    default:
      return true;
  }
}

bool cw_story_left_swap_out(const struct cw_story* story) {
  for (size_t i = 0; i < story->n_rows; ++i) {
    if (strcmp(story->rows[i].outcome, DRY_RUN) == 0) return true;
  }
  return false;
}

void cw_story_free(struct cw_story* story) {
  free(story->rows);
  *story = (struct cw_story){0};
}
