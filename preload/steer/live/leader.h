/* The rank that leads a node: in each interval it observes, decides, writes the log and acts. */
#ifndef COREWISE_STEER_LEADER_H
#define COREWISE_STEER_LEADER_H

#include "act/journal.h"
#include "decide.h"
#include "live/node_slots.h"

struct cw_leader;

/* What a leader uses. All of it must outlive the leader. */
struct cw_leader_job {
  const struct cw_steering* steering;
  struct cw_node_slots* slots;
  struct cw_journal* journal;
  int own_slot;
  const char* log_prefix; /* log_writer.h */
};

/* A new leader without observations; NULL: out of memory. */
struct cw_leader* cw_leader_begin(const struct cw_leader_job* job);

/* One step. False: steering must end, because something could not be written; `message`
 * (CW_MESSAGE_BYTES). */
bool cw_leader_step(struct cw_leader* leader, int64_t now_ns, char* message);

/* Logs the result of the last swap if necessary, and frees the leader. */
void cw_leader_end(struct cw_leader* leader, int64_t now_ns);

#endif
