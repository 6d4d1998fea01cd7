/* The slots of a node's ranks: a file in shared memory that each rank maps, and takes a slot of. */
#ifndef COREWISE_STEER_NODE_SLOTS_H
#define COREWISE_STEER_NODE_SLOTS_H

#include "share/slots.h"

enum { CW_MOST_SLOTS = 1024 };

struct cw_node_slots {
  _Atomic uint32_t version;
  _Atomic int32_t n_taken;                 /* may grow beyond the number of slots, by ranks that got none */
  _Atomic int32_t n_left;                  /* ranks that gave up their slots */
  _Atomic int32_t n_ready;                 /* ranks that have opened all of the node's files */
  _Atomic uint64_t pid_namespace;          /* of the first rank */
  _Atomic int64_t start_ns;                /* CLOCK_MONOTONIC when the first rank came */
  _Atomic bool is_off;                     /* a leader could not continue: nobody follows it */
  _Atomic uint32_t settled[CW_MOST_SLOTS]; /* [slot] grows when its rank is to stay where it is now */
  _Atomic bool assisted[CW_MOST_SLOTS];    /* [slot] its rank is to make progress while it computes */
  struct cw_slot slots[CW_MOST_SLOTS];
};

/* Maps the file at `path` and takes a slot. NULL: `message` (CW_SHARED_MESSAGE_BYTES) says why not. */
struct cw_node_slots* cw_node_slots_join(const char* path, int* slot, char* message);

/* The caller has opened all files of the node. True: it is the last of the node's `n_ranks` ranks, so their
 * names are not needed any more. */
bool cw_node_slots_ready(struct cw_node_slots* slots, int n_ranks);

/* Whether the ranks so far know each other's process ids, which one PID namespace takes. */
bool cw_node_slots_same_namespace(struct cw_node_slots* slots);

/* The caller gives up its slot. True: it was the last of all that were taken, so the node's files may go. */
bool cw_node_slots_leave(struct cw_node_slots* slots);

/* How many slots were taken so far. */
int cw_node_slots_taken(struct cw_node_slots* slots);

#endif
