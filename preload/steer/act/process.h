/* A process of this node and where its threads may run: identified so that a reused pid is no mistake. */
#ifndef COREWISE_STEER_PROCESS_H
#define COREWISE_STEER_PROCESS_H

#include <sys/types.h>

#include "mask.h"

enum {
  CW_MOST_STEERED = 1024, /* ranks of a node */
  CW_MOST_OWN_MASKS = 64  /* threads of a process with their own masks */
};

/* Which process: a pid alone may belong to another one later. */
struct cw_process_id {
  int64_t pid;   /* 0: none */
  int64_t start; /* clock ticks after boot, field 22 of /proc/PID/stat */
};

/* Threads that may run on a part of their process's home alone, as an OpenMP runtime binds them. */
struct cw_own_masks {
  int32_t n;
  struct {
    int64_t thread;
    uint64_t places; /* cw_mask_places() of the home */
  } at[CW_MOST_OWN_MASKS];
};

/* Where the threads of a process belong: those of `own` at their places of `home`, all others anywhere in it.
 * A thread whose mask lies neither in `home` nor in one of `homes` got it from the program, and keeps it;
 * the process's first thread has no such mask. */
struct cw_belonging {
  struct cw_pu_mask home;
  struct cw_own_masks own;
  const struct cw_pu_mask* homes; /* where steering may have put threads */
  int n_homes;
};

enum cw_move {
  CW_MOVE_DONE,    /* every thread is where it belongs, read back */
  CW_MOVE_REFUSED, /* the kernel gave another mask, or none */
  CW_MOVE_GONE     /* the process has ended */
};

/* The process that has this pid now. False where there is none. */
bool cw_process_identify(pid_t pid, struct cw_process_id* id);

/* Whether this very process is there and has not ended. */
bool cw_process_lives(const struct cw_process_id* id);

/* The mask of the process's first thread. */
bool cw_process_mask(const struct cw_process_id* id, struct cw_pu_mask* mask);

/* The threads with a part of `home` alone. False: there are more than fit, the home has more than 64 PUs, or
 * the process has ended. */
bool cw_process_own_masks(const struct cw_process_id* id, const struct cw_pu_mask* home,
                          struct cw_own_masks* own);

/* Sends every thread where it belongs, those too that appear meanwhile. One that is in the home stays. */
enum cw_move cw_process_move(const struct cw_process_id* id, const struct cw_belonging* belonging);

/* Whether every thread of the process is in its home, or has a mask of the program's. */
bool cw_process_is_at(const struct cw_process_id* id, const struct cw_belonging* belonging);

/* Lets the threads that are not where they belong run wherever the kernel allows it. */
void cw_process_release(const struct cw_process_id* id, const struct cw_belonging* belonging);

#endif
