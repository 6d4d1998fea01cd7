/* Swaps the cores of two ranks of a node, and recovers from swaps whose process was killed or stopped.
 *
 * The two ranks need not cooperate: any rank of the node can do the swap. Steps:
 *   1. take the lease and recover from an unfinished swap; 2. record threads that have their own masks;
 *   3. write the swap to the journal; 4. move the first rank, then the second; 5. verify both;
 *   6. exchange the homes in the journal; 7. release the lease.
 * If a swap is found unfinished before step 6, both ranks are moved back. */
#ifndef COREWISE_STEER_SWAP_H
#define COREWISE_STEER_SWAP_H

#include "journal.h"

enum cw_swap_step {
  CW_SWAP_LEASED,
  CW_SWAP_WRITTEN,
  CW_SWAP_FIRST_MOVED,
  CW_SWAP_SECOND_MOVED,
  CW_SWAP_COMMITTED,
  CW_SWAP_HOMES_EXCHANGED,
  CW_SWAP_QUIET,
  CW_SWAP_N_STEPS
};

struct cw_swap_report {
  bool done;         /* each rank runs on the other's home, verified */
  bool lost;         /* another rank took the lease meanwhile and decided where the ranks are */
  int64_t shared_ns; /* how long both ranks may have shared one core */
};

/* Called after each step, for fault injection; NULL in a job. */
typedef void (*cw_swap_hook)(enum cw_swap_step step, void* argument);

/* Exchanges the homes of two slots. If the caller is one of them, pass it as slot_b, which moves second: a
 * caller that moved itself first made the swap up to twenty times longer. */
struct cw_swap_report cw_swap(struct cw_journal* journal, int slot_a, int slot_b, cw_swap_hook hook,
                              void* argument);

/* Finishes or undoes an unfinished swap, and moves each rank of this node home that is somewhere else. If the
 * kernel refuses a home, because a cpuset shrank, that rank may run on all cores that the kernel allows and
 * is no longer steered. Any rank may call this. False: another rank holds the lease. */
bool cw_swap_recover(struct cw_journal* journal);

/* Moves the caller's rank home and excludes it from later swaps. False: the lease was busy for four times its
 * duration. */
bool cw_swap_leave(struct cw_journal* journal);

#endif
