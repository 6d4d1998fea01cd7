/* Moves the threads of a process of this node. Processes are identified so that a reused pid is detected. */
#ifndef COREWISE_STEER_PROCESS_H
#define COREWISE_STEER_PROCESS_H

#include <sys/types.h>

#include "mask.h"

enum {
  CW_MOST_STEERED = 1024, /* ranks of a node */
  CW_MOST_OWN_MASKS = 64  /* threads of a process that have their own masks */
};

/* Identifies a process even if its pid is reused later. */
struct cw_process_id {
  int64_t pid;   /* 0: none */
  int64_t start; /* start time in clock ticks after boot: field 22 of /proc/PID/stat */
};

/* Threads that are bound to a part of their process's home, for example by an OpenMP runtime. */
struct cw_own_masks {
  int32_t n;
  struct {
    int64_t thread;
    uint64_t places; /* cw_mask_places() of the home */
  } at[CW_MOST_OWN_MASKS];
};

/* Where the threads of a process belong: those in `own` at their places in `home`, all others anywhere in
 * `home`. A thread whose mask is neither in `home` nor in one of `homes` was bound by the program, and keeps
 * its mask. The first thread is always moved. */
struct cw_belonging {
  struct cw_pu_mask home;
  struct cw_own_masks own;
  const struct cw_pu_mask* homes; /* masks to which steering may have moved threads */
  int n_homes;
};

enum cw_move {
  CW_MOVE_DONE,    /* every thread is where it belongs, verified */
  CW_MOVE_REFUSED, /* the kernel refused a mask or reduced it */
  CW_MOVE_GONE     /* the process has ended */
};

/* Identifies the process that has this pid now. False: none. */
bool cw_process_identify(pid_t pid, struct cw_process_id* id);

/* Is this process still running, and not another one with its pid? */
bool cw_process_lives(const struct cw_process_id* id);

bool cw_process_mask(const struct cw_process_id* id, struct cw_pu_mask* mask);

/* Finds the threads that are bound to a part of `home`. False: there are too many, the home has more than 64
 * PUs, or the process has ended. */
bool cw_process_own_masks(const struct cw_process_id* id, const struct cw_pu_mask* home,
                          struct cw_own_masks* own);

/* Moves every thread to where it belongs, including threads that start meanwhile. Threads inside `home`
 * stay. */
enum cw_move cw_process_move(const struct cw_process_id* id, const struct cw_belonging* belonging);

/* Is every thread in its home, or bound by the program? */
bool cw_process_is_at(const struct cw_process_id* id, const struct cw_belonging* belonging);

/* Lets the threads that are not where they belong run on all PUs that the kernel allows. */
void cw_process_release(const struct cw_process_id* id, const struct cw_belonging* belonging);

#endif
