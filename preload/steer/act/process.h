/* A process of this node and where its threads may run: identified so that a reused pid is no mistake. */
#ifndef COREWISE_STEER_PROCESS_H
#define COREWISE_STEER_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { CW_MOST_STEERED = 1024 }; /* ranks of a node */

enum { CW_MASK_WORDS = 16, CW_MASK_PUS = 64 * CW_MASK_WORDS };

/* PUs by os_index; PUs from CW_MASK_PUS on are not steered. */
struct cw_pu_mask {
  uint64_t word[CW_MASK_WORDS];
};

/* Which process: a pid alone may belong to another one later. */
struct cw_process_id {
  int64_t pid;   /* 0: none */
  int64_t start; /* clock ticks after boot, field 22 of /proc/PID/stat */
};

enum cw_move {
  CW_MOVE_DONE,    /* every thread has exactly the mask, read back */
  CW_MOVE_REFUSED, /* the kernel gave another mask, or none */
  CW_MOVE_GONE     /* the process has ended */
};

/* The process that has this pid now. False where there is none. */
bool cw_process_identify(pid_t pid, struct cw_process_id* id);

/* Whether this very process is there and has not ended. */
bool cw_process_lives(const struct cw_process_id* id);

/* The mask of the process's first thread. */
bool cw_process_mask(const struct cw_process_id* id, struct cw_pu_mask* mask);

/* Gives every thread of the process the mask, those too that appear meanwhile. */
enum cw_move cw_process_move(const struct cw_process_id* id, const struct cw_pu_mask* mask);

/* Whether every thread of the process has exactly the mask. */
bool cw_process_is_at(const struct cw_process_id* id, const struct cw_pu_mask* mask);

#endif
