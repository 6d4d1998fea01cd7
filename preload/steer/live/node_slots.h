/* The slots of a node's ranks: a shared-memory file. Each rank maps it and takes a slot. */
#ifndef COREWISE_STEER_NODE_SLOTS_H
#define COREWISE_STEER_NODE_SLOTS_H

#include "share/slots.h"

enum { CW_MOST_SLOTS = 1024 };

struct cw_node_slots {
  _Atomic uint32_t version;
  _Atomic int32_t n_taken;                 /* also counts ranks that found no free slot */
  _Atomic int32_t n_left;                  /* ranks that gave up their slots */
  _Atomic uint64_t pid_namespace;          /* of the first rank */
  _Atomic int64_t start_ns;                /* CLOCK_MONOTONIC when the first rank joined */
  _Atomic bool is_off;                     /* a leader failed: steering has ended on this node */
  _Atomic uint32_t settled[CW_MOST_SLOTS]; /* [slot] incremented when its rank is to stay where it is */
  _Atomic bool assisted[CW_MOST_SLOTS];    /* [slot] its rank is to start a progress thread */
  struct cw_slot slots[CW_MOST_SLOTS];
};

/* Maps the file at `path` and takes a slot. NULL: `message` (CW_SHARED_MESSAGE_BYTES) says why. */
struct cw_node_slots* cw_node_slots_join(const char* path, int* slot, char* message);

/* Are all ranks so far in one PID namespace? Only then do they know each other's process ids. */
bool cw_node_slots_same_namespace(struct cw_node_slots* slots);

/* The caller gives up its slot. True: it was the last, so the node's files can be removed. */
bool cw_node_slots_leave(struct cw_node_slots* slots);

/* Number of slots taken so far. */
int cw_node_slots_taken(struct cw_node_slots* slots);

#endif
