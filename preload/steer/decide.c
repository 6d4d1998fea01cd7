/* See decide.h: the phases of a swap, from the proposal to the verdict. */
#include "decide.h"

#include <string.h>

void cw_steering_init(struct cw_steering* steering) {
  memset(steering, 0, sizeof *steering);
  steering->settings = cw_steer_settings_default();
  steering->confidences = cw_confidences_default();
  for (int64_t i = 0; i < CW_N_METRICS; ++i) steering->priority[i] = cw_metrics[i].priority;
}

static void enter(struct cw_decide_state* state, enum cw_phase phase, int64_t now_ns) {
  state->phase = phase;
  state->since_ns = now_ns;
  if (phase != CW_PHASE_WATCH) state->n_quiet_windows = state->n_packet_windows = 0;
  cw_analysis_clear(&state->analysis);
}

static int64_t time_of_call(const struct cw_progress* progress) {
  return progress->calls > 0 ? progress->time_ns / progress->calls : 0;
}

/* Is the window long enough, and did every rank of the node end enough blocking calls? */
static bool window_is_whole(const struct cw_steering* steering, const struct cw_decide_state* state,
                            int64_t least_calls) {
  const struct cw_progress progress = cw_analysis_progress(&state->analysis);
  return state->analysis.sum.length_ns >= steering->settings.window_ns && progress.least_calls >= least_calls;
}

/* May the proposal be carried out now? A swap must stay in a NUMA domain if memory does not follow ranks. */
static bool is_allowed(const struct cw_steering* steering, const struct cw_decide_state* state,
                       const struct cw_proposal* proposal, int64_t now_ns) {
  if (proposal->confidence < steering->settings.least_confidence) return false;
  if (proposal->kind == CW_PROPOSE_ASSISTANCE) return true;
  const bool reaches_memory = steering->settings.memory_pages > 0 ||
                              cw_steer_same_numa(&steering->machine, proposal->core_a, proposal->core_b);
  return reaches_memory &&
         cw_guard_allows(&state->guard, &steering->settings, proposal->rank_a, proposal->rank_b, now_ns);
}

/* Assistance is advised once. Afterwards the metrics treat the rank as assisted, although nobody knows if the
 * advice was followed: if the symptom persists, moving ranks is the remaining remedy. */
static void count_advised_as_assisted(struct cw_decide_state* state) {
  const int32_t advised = cw_analysis_find(&state->analysis, state->assisted_rank - 1);
  if (advised >= 0) state->analysis.sum.ranks[advised].assisted = 1;
}

/* Did the last window make the same proposal? */
static bool is_again(const struct cw_decide_state* state, const struct cw_proposal* proposal) {
  const struct cw_proposal* last = &state->proposed;
  return state->n_proposing > 0 && proposal->kind == last->kind && proposal->metric == last->metric &&
         proposal->rank_a == last->rank_a && proposal->rank_b == last->rank_b;
}

/* Chooses the allowed proposal of a metric that the last window made, too, else the first allowed one. */
static bool ask_metric(const struct cw_steering* steering, const struct cw_decide_state* state,
                       const struct cw_view* view, int64_t metric, struct cw_proposal* found) {
  const int64_t now_ns = state->analysis.sum.time_ns;
  struct cw_proposals proposals = {0};
  bool any = false;
  cw_metrics[metric].propose(view, &proposals);
  for (int32_t i = 0; i < proposals.n; ++i) {
    struct cw_proposal* proposal = &proposals.at[i];
    proposal->metric = metric;
    if (!is_allowed(steering, state, proposal, now_ns) || (any && !is_again(state, proposal))) continue;
    any = true;
    *found = *proposal;
  }
  return any;
}

/* Asks metrics by priority; those with the same priority in the order of the register. */
static bool ask_metrics(const struct cw_steering* steering, struct cw_decide_state* state,
                        const struct cw_view* view, struct cw_proposal* found) {
  for (int64_t priority = 1; priority <= CW_N_METRICS; ++priority) {
    for (int64_t metric = 0; metric < CW_N_METRICS; ++metric) {
      if (steering->priority[metric] == priority && ask_metric(steering, state, view, metric, found))
        return true;
    }
  }
  return false;
}

static struct cw_decision undo(struct cw_decide_state* state, int64_t after_ns, int64_t now_ns) {
  struct cw_decision decision = state->last;
  decision.action = CW_ACTION_UNDO;
  decision.undoes = state->last.swap;
  decision.swap = ++state->n_swaps;
  decision.before_ns = time_of_call(&state->before);
  decision.after_ns = after_ns;
  state->last = decision;
  state->undone_ns = after_ns;
  enter(state, CW_PHASE_UNDOING, now_ns);
  return decision;
}

/* After an undo, the ranks are where they were before. If the program is slower now than with the swap, the
 * swap was good: the window before the swap may have been a fast phase, for example during start-up. */
static void reconsider(const struct cw_steering* steering, struct cw_decide_state* state,
                       const struct cw_progress* progress, int64_t now_ns) {
  const struct cw_proposal* swapped = &state->last.proposal;
  if (cw_guard_undo_was_wrong(&steering->settings, state->undone_ns, time_of_call(progress)))
    cw_guard_allow_retry(&state->guard, swapped->rank_a, swapped->rank_b, now_ns);
  state->undone_ns = 0;
}

/* A kept swap is undone after this many consecutive slow windows: one may be an outside disturbance. */
enum { WORSE_WINDOWS = 2 };

/* A swap that was kept is watched further: the program may have been in a fast phase when it was judged. */
static bool is_regretted(const struct cw_steering* steering, struct cw_decide_state* state,
                         const struct cw_progress* progress) {
  if (state->watched_windows == 0) return false;
  --state->watched_windows;
  const bool is_worse =
      cw_guard_is_slower(&steering->settings, time_of_call(&state->before), time_of_call(progress));
  state->worse_windows = is_worse ? state->worse_windows + 1 : 0;
  return state->worse_windows == WORSE_WINDOWS;
}

static struct cw_decision start(struct cw_decide_state* state, const struct cw_proposal* proposal,
                                const struct cw_progress* before, int64_t now_ns) {
  struct cw_decision decision = {.proposal = *proposal};
  if (proposal->kind == CW_PROPOSE_ASSISTANCE) {
    decision.action = CW_ACTION_ASSIST;
    state->assisted_rank = proposal->rank_a + 1;
    enter(state, CW_PHASE_WATCH, now_ns);
    return decision;
  }
  decision.action = CW_ACTION_SWAP;
  decision.swap = ++state->n_swaps;
  decision.before_ns = time_of_call(before);
  state->last = decision;
  state->undone_ns = 0;
  state->before = *before;
  state->n_proposing = 0;
  state->watched_windows = 0;
  enter(state, CW_PHASE_ACTING, now_ns);
  return decision;
}

/* A single window may contain a disturbance, so several consecutive windows must make the same proposal. The
 * fastest of them is what the time after the swap is compared with. Not needed for a solver's steps, which
 * rest on all traffic so far. */
static bool is_confirmed(const struct cw_steering* steering, struct cw_decide_state* state,
                         const struct cw_proposal* proposal, const struct cw_progress* progress) {
  const bool again = is_again(state, proposal);
  if (!again || time_of_call(progress) < time_of_call(&state->proposing)) state->proposing = *progress;
  state->n_proposing = again ? state->n_proposing + 1 : 1;
  state->proposed = *proposal;
  return proposal->kind == CW_PROPOSE_ASSISTANCE || cw_metrics[proposal->metric].in_steps ||
         state->n_proposing >= steering->settings.windows_in_a_row;
}

/* Counts windows in which receive flow steering would have helped more than a swap. */
static void watch_packets(struct cw_decide_state* state, const struct cw_view* view, bool is_proposed) {
  const struct cw_flow_steering found = cw_flow_steering_find(view);
  if (is_proposed) {
    state->n_quiet_windows = state->n_packet_windows = 0;
    return;
  }
  ++state->n_quiet_windows;
  if (found.core < 0) return;
  ++state->n_packet_windows;
  state->flow_steering = found;
}

static struct cw_decision watch(const struct cw_steering* steering, const struct cw_snapshot* snapshot,
                                struct cw_decide_state* state) {
  cw_analysis_add(&state->analysis, snapshot);
  if (!window_is_whole(steering, state, steering->settings.window_iterations)) {
    if (state->analysis.sum.length_ns > steering->settings.window_most_ns)
      enter(state, CW_PHASE_WATCH, snapshot->time_ns);
    return (struct cw_decision){0};
  }
  const struct cw_progress progress = cw_analysis_progress(&state->analysis);
  if (is_regretted(steering, state, &progress))
    return undo(state, time_of_call(&progress), snapshot->time_ns);
  reconsider(steering, state, &progress, snapshot->time_ns);
  count_advised_as_assisted(state);
  struct cw_view view = {&steering->machine, &steering->settings, &steering->confidences, &state->analysis,
                         NULL};
  cw_view_index(&view, &state->index);
  struct cw_proposal proposal;
  const bool any = ask_metrics(steering, state, &view, &proposal);
  watch_packets(state, &view, any);
  if (any && is_confirmed(steering, state, &proposal, &progress))
    return start(state, &proposal, &state->proposing, snapshot->time_ns);
  if (!any) state->n_proposing = 0;
  enter(state, CW_PHASE_WATCH, snapshot->time_ns);
  return (struct cw_decision){0};
}

static struct cw_decision abandon_swap(const struct cw_steering* steering, struct cw_decide_state* state,
                                       int64_t now_ns) {
  struct cw_decision decision = state->last;
  decision.action = CW_ACTION_GIVE_UP;
  state->watched_windows = 0;
  state->undone_ns = 0;
  cw_guard_refuse(&state->guard, &steering->settings, decision.proposal.rank_a, decision.proposal.rank_b,
                  now_ns);
  enter(state, CW_PHASE_WATCH, now_ns);
  return decision;
}

/* Handles the actuator's answer, or its absence after answer_ns. Even after a failed undo all ranks are on
 * valid cores, which the next snapshots report. */
static struct cw_decision wait_for_answer(const struct cw_steering* steering,
                                          const struct cw_snapshot* snapshot, struct cw_decide_state* state) {
  const struct cw_swap_result* result = &snapshot->result;
  const int64_t now_ns = snapshot->time_ns;
  if (result->swap == state->last.swap) {
    state->guard.shared_ns += result->shared_ns;
    if (!result->done) return abandon_swap(steering, state, now_ns);
    if (state->phase == CW_PHASE_UNDOING) {
      cw_guard_refuse(&state->guard, &steering->settings, state->last.proposal.rank_a,
                      state->last.proposal.rank_b, now_ns);
      state->watched_windows = 0;
      enter(state, CW_PHASE_WATCH, now_ns);
    } else {
      enter(state, CW_PHASE_SETTLING, now_ns);
    }
  } else if (now_ns - state->since_ns > steering->settings.answer_ns) {
    return abandon_swap(steering, state, now_ns);
  }
  return (struct cw_decision){0};
}

/* A swap is kept if iterations got shorter. One of many small steps may gain too little to be measured: it is
 * kept if iterations take about as long as they did at best, which limits the loss of all steps together. */
static bool is_worth_it(const struct cw_steering* steering, struct cw_decide_state* state, int64_t after_ns) {
  const int64_t before_ns = time_of_call(&state->before);
  if (!cw_metrics[state->last.proposal.metric].in_steps)
    return cw_guard_paid(&steering->settings, before_ns, after_ns);
  if (state->step_best_ns == 0 || before_ns < state->step_best_ns) state->step_best_ns = before_ns;
  if (cw_guard_is_slower(&steering->settings, state->step_best_ns, after_ns)) return false;
  if (after_ns < state->step_best_ns) state->step_best_ns = after_ns;
  return true;
}

/* The window after the swap has as many iterations as the one before: fewer might show only a part of a
 * periodic behaviour. If it is not complete after eight times the expected duration, the swap is undone. */
static struct cw_decision judge(const struct cw_steering* steering, const struct cw_snapshot* snapshot,
                                struct cw_decide_state* state) {
  cw_analysis_add(&state->analysis, snapshot);
  const int64_t now_ns = snapshot->time_ns;
  const struct cw_progress progress = cw_analysis_progress(&state->analysis);
  if (!window_is_whole(steering, state, state->before.least_calls)) {
    const int64_t most_ns =
        8 * (steering->settings.window_ns + time_of_call(&state->before) * state->before.least_calls);
    return now_ns - state->since_ns > most_ns ? undo(state, 0, now_ns) : (struct cw_decision){0};
  }
  const int64_t after_ns = time_of_call(&progress);
  if (!is_worth_it(steering, state, after_ns)) return undo(state, after_ns, now_ns);
  struct cw_decision decision = state->last;
  decision.action = CW_ACTION_KEEP;
  decision.after_ns = after_ns;
  state->last = decision;
  state->watched_windows = steering->settings.watched_windows;
  state->worse_windows = 0;
  cw_guard_accept(&state->guard, &steering->settings, decision.proposal.rank_a, decision.proposal.rank_b,
                  now_ns);
  enter(state, CW_PHASE_WATCH, now_ns);
  return decision;
}

struct cw_decision cw_decide(const struct cw_steering* steering, const struct cw_snapshot* snapshot,
                             struct cw_decide_state* state) {
  switch (state->phase) {
    case CW_PHASE_WATCH:
      return watch(steering, snapshot, state);
    case CW_PHASE_ACTING:
    case CW_PHASE_UNDOING:
      return wait_for_answer(steering, snapshot, state);
    case CW_PHASE_SETTLING:
      if (snapshot->time_ns - state->since_ns >= steering->settings.settle_ns)
        enter(state, CW_PHASE_PROBATION, snapshot->time_ns);
      return (struct cw_decision){0};
    default:
      return judge(steering, snapshot, state);
  }
}

bool cw_decide_advises_flow_steering(const struct cw_steering* steering,
                                     const struct cw_decide_state* state) {
  return state->n_packet_windows >= steering->settings.windows_in_a_row &&
         2 * state->n_packet_windows > state->n_quiet_windows;
}

bool cw_decide_is_idle(const struct cw_decide_state* state) {
  return state->phase == CW_PHASE_WATCH && state->watched_windows == 0;
}
