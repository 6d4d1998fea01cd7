/* What the rank that leads a node does once an interval: it observes, decides, writes the log and acts. */
#ifndef COREWISE_STEER_LEADER_H
#define COREWISE_STEER_LEADER_H

#include "act/journal.h"
#include "decide.h"
#include "live/node_slots.h"
#include "nodes/nodes.h"

struct cw_leader;

/* What a leader works with; all of it outlives it. */
struct cw_leader_job {
  const struct cw_steering* steering;
  struct cw_node_slots* slots;
  struct cw_journal* journal;
  struct cw_nodes* nodes; /* NULL: nothing is heard of other nodes */
  int own_slot;
  const char* log_prefix; /* log_writer.h */
};

/* A new leader, which has seen nothing yet. NULL: no memory. Ended by cw_leader_end(). */
struct cw_leader* cw_leader_begin(const struct cw_leader_job* job);

/* One step. False: steering ends here, for `message` (CW_MESSAGE_BYTES) says what could not be written. */
bool cw_leader_step(struct cw_leader* leader, int64_t now_ns, char* message);

/* Writes down what became of the last swap where that is not in the log yet, and frees everything. */
void cw_leader_end(struct cw_leader* leader, int64_t now_ns);

#endif
