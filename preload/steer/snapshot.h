/* What the monitors saw in one interval: of every rank, of every core of the node, and what the actuator did.
 */
#ifndef COREWISE_STEER_SNAPSHOT_H
#define COREWISE_STEER_SNAPSHOT_H

#include <stdbool.h>
#include <stdint.h>

#include "fields.h"
#include "machine.h"
#include "sample.h"

/* Bytes that `rank` sent to `peer` in the interval. */
struct cw_peer_sample {
  int64_t rank;
  int64_t peer;
  int64_t bytes;
};

/* Where a rank of this node should be, by a solver. */
struct cw_target {
  int64_t rank;
  int64_t core;
};

/* What the leader of another node asks this node for: a rank of it should be on a core like its peer's. */
struct cw_core_request {
  int64_t rank;
  int64_t capability; /* of the core that it should be on, parts per thousand */
  int64_t leader;     /* the rank that was elected */
  int64_t sender;     /* the pair that is out of sync; `rank` is one of them */
  int64_t receiver;
};

/* What became of a swap that the decision function asked for. */
struct cw_swap_result {
  int64_t swap;      /* its number; 0: there is no result in this interval */
  int64_t done;      /* 1: both processes are on the other's core, read back; 0: both are where they were */
  int64_t shared_ns; /* how long the two were on one core */
};

/* One interval of a node. The writer fills the first n_... entries of each column. */
struct cw_snapshot {
  int64_t number;  /* of the interval, from 1 */
  int64_t time_ns; /* its end, since the job's start */
  int64_t length_ns;
  int64_t own_messages; /* that steering itself sent to other nodes */
  int64_t own_bytes;
  int32_t n_ranks;
  int32_t n_peers;
  int32_t n_cores;
  int32_t n_targets;
  int32_t n_requests;
  struct cw_rank_sample ranks[CW_STEER_MOST_RANKS]; /* ascending by id */
  struct cw_peer_sample peers[CW_STEER_MOST_RANKS * CW_STEER_MOST_PEERS];
  struct cw_core_sample cores[CW_STEER_MOST_CORES];
  struct cw_target targets[CW_STEER_MOST_RANKS];
  struct cw_core_request requests[CW_STEER_MOST_REQUESTS];
  struct cw_swap_result result;
};

/* Empties it: entries beyond n_... mean nothing, and most of a snapshot is such. */
void cw_snapshot_clear(struct cw_snapshot* snapshot);

/* The same without what lies beyond n_... of each column. */
void cw_snapshot_copy(struct cw_snapshot* copy, const struct cw_snapshot* snapshot);

/* Makes `snapshot` an empty one of the interval that `line` ("tick number=... time_ns=... length_ns=...")
 * names. False: `message` says why not. */
bool cw_snapshot_begin(struct cw_snapshot* snapshot, const char* line, char* message);

/* Adds a line of the interval: rank, peer, load, target, request or result. False: `message` says why not. */
bool cw_snapshot_add_line(struct cw_snapshot* snapshot, const char* line, char* message);

/* Whether every core that the snapshot names on `node` is one of `machine`. */
bool cw_snapshot_fits(const struct cw_snapshot* snapshot, const struct cw_steer_machine* machine,
                      int64_t node, char* message);

/* Brings every number within what a log may hold: a time of days, as of a stopped job, becomes the most. */
void cw_snapshot_limit(struct cw_snapshot* snapshot);

/* All its lines, from "tick" on. */
void cw_snapshot_write(const struct cw_snapshot* snapshot, struct cw_buffer* buffer);

#endif
