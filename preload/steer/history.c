/* See history.h. */
#include "history.h"

#include <stdlib.h>
#include <string.h>

static const char ADVISED[] = "advised";
static const char NOT_DONE[] = "not done";
static const char DRY_RUN[] = "not done: dry run";

static struct cw_history_entry* row_of_swap(struct cw_history* history, int64_t swap) {
  for (size_t i = history->n_rows; i-- > 0;) {
    if (history->rows[i].decision.swap == swap) return &history->rows[i];
  }
  return NULL;
}

static void set_outcome(struct cw_history_entry* row, const char* outcome) {
  if (row) snprintf(row->outcome, sizeof row->outcome, "%s", outcome);
}

static const char* first_outcome(const struct cw_decision* decision, bool dry_run) {
  if (decision->action == CW_ACTION_ASSIST) return ADVISED;
  return dry_run ? DRY_RUN : "no answer when the log ended";
}

static bool add_row(struct cw_history* history, const struct cw_snapshot* snapshot,
                    const struct cw_steer_settings* settings, const struct cw_decision* decision) {
  if (history->n_rows == history->room) {
    const size_t room = history->room ? 2 * history->room : 16;
    struct cw_history_entry* rows = realloc(history->rows, room * sizeof *rows);
    if (!rows) return false;
    history->rows = rows;
    history->room = room;
  }
  struct cw_history_entry* row = &history->rows[history->n_rows++];
  *row = (struct cw_history_entry){.time_ns = snapshot->time_ns, .decision = *decision};
  struct cw_buffer because = {row->because, sizeof row->because, 0, false};
  cw_decision_because(decision, &because);
  if (decision->action == CW_ACTION_ASSIST) ++history->n_advised;
  set_outcome(row, first_outcome(decision, settings->dry_run != 0));
  return true;
}

/* If a rank reports a progress thread, advice to it was followed. */
static void follow_advice(struct cw_history* history, const struct cw_snapshot* snapshot) {
  for (int32_t i = 0; i < snapshot->n_ranks && history->n_advised > 0; ++i) {
    if (!snapshot->ranks[i].assisted) continue;
    for (size_t n = 0; n < history->n_rows; ++n) {
      struct cw_history_entry* row = &history->rows[n];
      const bool is_advice = row->decision.action == CW_ACTION_ASSIST && strcmp(row->outcome, ADVISED) == 0;
      if (!is_advice || row->decision.proposal.rank_a != snapshot->ranks[i].id) continue;
      set_outcome(row, "a thread of the rank makes progress from then on");
      --history->n_advised;
    }
  }
}

static void follow_result(struct cw_history* history, const struct cw_swap_result* result) {
  struct cw_history_entry* row = result->swap ? row_of_swap(history, result->swap) : NULL;
  if (!row || !result->done) return;
  if (row->decision.action == CW_ACTION_UNDO) {
    set_outcome(row, "done");
  } else {
    ++history->n_swaps;
    set_outcome(row, "on probation when the log ended");
  }
}

static void follow_verdict(struct cw_history* history, const struct cw_decision* decision, bool dry_run) {
  struct cw_history_entry* row = row_of_swap(history, decision->swap);
  if (!row) return;
  if (decision->action == CW_ACTION_GIVE_UP) {
    set_outcome(row, dry_run ? DRY_RUN : NOT_DONE);
  } else {
    struct cw_buffer outcome = {row->outcome, sizeof row->outcome, 0, false};
    cw_buffer_add(&outcome, "kept: ");
    cw_decision_because(decision, &outcome);
  }
}

static void follow_undo(struct cw_history* history, const struct cw_decision* decision) {
  struct cw_history_entry* row = row_of_swap(history, decision->undoes);
  ++history->n_rollbacks;
  set_outcome(row, row && strncmp(row->outcome, "kept", 4) == 0 ? "kept, then undone" : "undone");
}

/* The interval in which a swap ended counts neither as before nor as after. */
static void follow_time(struct cw_history* history, const struct cw_snapshot* snapshot) {
  if (snapshot->result.done) {
    history->any_done = true;
    history->after = (struct cw_history_time){0};
    return;
  }
  struct cw_history_time* time = history->any_done ? &history->after : &history->before;
  for (int32_t i = 0; i < snapshot->n_ranks; ++i) {
    const struct cw_rank_sample* rank = &snapshot->ranks[i];
    time->wait += rank->wait_ns;
    time->all += rank->compute_ns + rank->wait_ns + rank->transfer_ns;
  }
}

static void compare(struct cw_history* history, const struct cw_log_interval* interval,
                    const struct cw_decision* decision) {
  char text[CW_LOG_LINE_BYTES + 1];
  struct cw_buffer again = {text, sizeof text, 0, false};
  if (interval->recorded[0] == '\0') return;
  cw_decision_write(decision, &again);
  ++history->n_compared;
  if (history->differs_at == 0 && strcmp(text, interval->recorded) != 0) {
    history->differs_at = interval->snapshot.number;
    memcpy(history->recorded, interval->recorded, sizeof history->recorded);
    memcpy(history->again, text, sizeof text);
  }
}

bool cw_history_add(struct cw_history* history, const struct cw_log_interval* interval,
                    const struct cw_steer_settings* settings, const struct cw_decision* decision) {
  if (history->first_interval == 0) history->first_interval = interval->snapshot.number;
  compare(history, interval, decision);
  follow_time(history, &interval->snapshot);
  follow_advice(history, &interval->snapshot);
  follow_result(history, &interval->snapshot.result);
  switch (decision->action) {
    case CW_ACTION_UNDO:
      follow_undo(history, decision);
      return add_row(history, &interval->snapshot, settings, decision);
    case CW_ACTION_SWAP:
    case CW_ACTION_ASSIST:
      return add_row(history, &interval->snapshot, settings, decision);
    case CW_ACTION_KEEP:
    case CW_ACTION_GIVE_UP:
      follow_verdict(history, decision, settings->dry_run != 0);
      return true;
    default:
      return true;
  }
}

bool cw_history_left_swap_out(const struct cw_history* history) {
  for (size_t i = 0; i < history->n_rows; ++i) {
    if (strcmp(history->rows[i].outcome, DRY_RUN) == 0) return true;
  }
  return false;
}

void cw_history_free(struct cw_history* history) {
  free(history->rows);
  *history = (struct cw_history){0};
}
