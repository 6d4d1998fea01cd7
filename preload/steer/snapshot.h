/* What the monitors counted in one interval: for every rank and every core of the node, and the last swap. */
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

/* Core of a rank according to a solver. */
struct cw_target {
  int64_t rank;
  int64_t core;
};

/* The actuator's answer to a swap. */
struct cw_swap_result {
  int64_t swap;      /* its number; 0: no answer in this interval */
  int64_t done;      /* 1: each process is on the other's core, verified; 0: both are where they were */
  int64_t shared_ns; /* how long both were on one core */
};

/* One interval of a node. Only the first n_... entries of each array are valid. */
struct cw_snapshot {
  int64_t number;  /* of the interval, from 1 */
  int64_t time_ns; /* end of the interval, since the start of the job */
  int64_t length_ns;
  int32_t n_ranks;
  int32_t n_peers;
  int32_t n_cores;
  int32_t n_targets;
  struct cw_rank_sample ranks[CW_STEER_MOST_RANKS]; /* ascending by id */
  struct cw_peer_sample peers[CW_STEER_MOST_RANKS * CW_STEER_MOST_PEERS];
  struct cw_core_sample cores[CW_STEER_MOST_CORES];
  struct cw_target targets[CW_STEER_MOST_RANKS];
  struct cw_swap_result result;
};

/* Empties it. Leaves entries beyond n_... unchanged, because most of a snapshot is unused. */
void cw_snapshot_clear(struct cw_snapshot* snapshot);

/* Copies only the valid entries. */
void cw_snapshot_copy(struct cw_snapshot* copy, const struct cw_snapshot* snapshot);

/* Starts an empty snapshot from a line "tick number=... time_ns=... length_ns=...". False: `message`
 * describes the error. */
bool cw_snapshot_begin(struct cw_snapshot* snapshot, const char* line, char* message);

/* Adds a line of the interval: rank, peer, load, target or result. False: see above. */
bool cw_snapshot_add_line(struct cw_snapshot* snapshot, const char* line, char* message);

/* Do all cores in the snapshot exist on `machine`? */
bool cw_snapshot_fits(const struct cw_snapshot* snapshot, const struct cw_steer_machine* machine,
                      char* message);

/* Limits every number to the range of a log: after a job was stopped for days, times may exceed it. */
void cw_snapshot_limit(struct cw_snapshot* snapshot);

/* Appends all lines of the interval, starting with "tick". */
void cw_snapshot_write(const struct cw_snapshot* snapshot, struct cw_buffer* buffer);

#endif
