/* See leader.h. */
#define _GNU_SOURCE
#include "leader.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "act/lease.h"
#include "act/swap.h"
#include "log_writer.h"
#include "observations.h"
#include "targets.h"

struct cw_leader {
  struct cw_leader_job job;
  struct cw_log_writer log;
  struct cw_swap_result result; /* of the last swap, until a snapshot contains it */
  struct cw_observations observations;
  struct cw_targets targets;
  struct cw_snapshot snapshot;
  struct cw_decide_state state;
};

struct cw_leader* cw_leader_begin(const struct cw_leader_job* job) {
  struct cw_leader* leader = calloc(1, sizeof *leader); /* mostly untouched: takes little memory */
  if (leader == NULL) return NULL;
  leader->job = *job;
  leader->log = cw_log_writer_begin(job->log_prefix, job->steering);
  leader->observations.steering = job->steering;
  leader->observations.slots = job->slots;
  leader->observations.journal = job->journal;
  leader->observations.needed = cw_monitors_needed(job->steering);
  return leader;
}

/* If this rank is one of the two, it must move second (act/swap.h). */
static struct cw_swap_report swap(const struct cw_leader* leader, const struct cw_proposal* proposal) {
  const int a = cw_observations_slot(&leader->observations, proposal->rank_a);
  const int b = cw_observations_slot(&leader->observations, proposal->rank_b);
  const bool own_first = a == leader->job.own_slot;
  return cw_swap(leader->job.journal, own_first ? b : a, own_first ? a : b, NULL, NULL);
}

/* Both ranks will stay where they are, so their memory may follow them. */
static void settle(const struct cw_leader* leader, const struct cw_proposal* proposal) {
  const int64_t ranks[] = {proposal->rank_a, proposal->rank_b};
  for (int i = 0; i < 2; ++i) {
    const int slot = cw_observations_slot(&leader->observations, ranks[i]);
    if (slot >= 0) atomic_fetch_add(&leader->job.slots->settled[slot], 1);
  }
}

/* Requests progress assistance, which the rank starts at its next blocking call. */
static void assist(const struct cw_leader* leader, const struct cw_proposal* proposal) {
  const struct cw_steer_settings* settings = &leader->job.steering->settings;
  const int slot = cw_observations_slot(&leader->observations, proposal->rank_a);
  if (settings->async_progress == 0 || settings->dry_run != 0 || slot < 0) return;
  atomic_store_explicit(&leader->job.slots->assisted[slot], true, memory_order_relaxed);
}

static void act(struct cw_leader* leader, const struct cw_decision* decision) {
  if (decision->action == CW_ACTION_ASSIST) assist(leader, &decision->proposal);
  if (decision->action == CW_ACTION_KEEP) settle(leader, &decision->proposal);
  if (decision->action != CW_ACTION_SWAP && decision->action != CW_ACTION_UNDO) return;
  struct cw_swap_report report = {0};
  if (leader->job.steering->settings.dry_run == 0) report = swap(leader, &decision->proposal);
  leader->result = (struct cw_swap_result){
      .swap = decision->swap, .done = report.done && !report.lost, .shared_ns = report.shared_ns};
  if (decision->action == CW_ACTION_UNDO && report.done) settle(leader, &decision->proposal);
}

/* When the log is full and no swap is in progress, on probation or watched, the decision function restarts
 * with a new log: so each log can be replayed without the others. */
static void begin_new_log(struct cw_leader* leader) {
  cw_log_writer_close(&leader->log);
  memset(&leader->state, 0, sizeof leader->state);
}

/* Logs the decision before anything acts on it. */
static bool decide(struct cw_leader* leader, struct cw_decision* decision, char* message) {
  leader->snapshot.result = leader->result;
  leader->result = (struct cw_swap_result){0};
  if (cw_log_writer_is_full(&leader->log) && cw_decide_is_idle(&leader->state)) begin_new_log(leader);
  *decision = cw_decide(leader->job.steering, &leader->snapshot, &leader->state);
  return cw_log_writer_add(&leader->log, &leader->snapshot, decision, message);
}

bool cw_leader_step(struct cw_leader* leader, int64_t now_ns, char* message) {
  struct cw_decision decision;
  if (!cw_observations_take(&leader->observations, now_ns, &leader->snapshot)) return true;
  cw_targets_exchange(&leader->targets, &leader->observations, leader->job.log_prefix, now_ns,
                      &leader->snapshot);
  if (!decide(leader, &decision, message)) return false;
  if (cw_lease_still_leads(leader->job.journal)) act(leader, &decision);
  return true;
}

void cw_leader_end(struct cw_leader* leader, int64_t now_ns) {
  struct cw_decision decision;
  char message[CW_MESSAGE_BYTES];
  if (leader->result.swap != 0 && cw_observations_take(&leader->observations, now_ns, &leader->snapshot)) {
    (void)decide(leader, &decision, message);
  }
  cw_log_writer_close(&leader->log);
  free(leader);
}
