/* Swaps the cores of two ranks of a node, and finishes swaps of a process that was killed or stopped.
 *
 * The two ranks need not cooperate: any rank of the node does the swap, in this order:
 *   1. take the lease and recover from an unfinished swap; 2. save the masks of threads that have their own;
 *   3. write the swap to the journal; 4. move the first rank, then the second; 5. read both back; 6. exchange
 *   the homes (the cores that ranks belong to); 7. release the lease.
 * Before step 6, any rank that finds the swap unfinished puts both ranks back. */
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
  bool done;         /* each rank runs on the other's home, read back */
  bool lost;         /* another rank took the lease meanwhile; the ranks are where that rank put them */
  int64_t shared_ns; /* how long both ranks may have shared one core */
};

/* Called after each step, for fault injection; NULL in a job. */
typedef void (*cw_swap_hook)(enum cw_swap_step step, void* argument);

/* Exchanges the homes of two slots. If the caller is one of them, pass it as slot_b, which moves second: a
 * caller that moved itself first made the swap up to twenty times longer. */
struct cw_swap_report cw_swap(struct cw_journal* journal, int slot_a, int slot_b, cw_swap_hook hook,
                              void* argument);

/* Finishes or undoes an unfinished swap, and moves each rank of this node that is not on its home back to it.
 * If the kernel refuses a home (a cpuset shrank), the rank may run on all cores that the kernel allows, and
 * its slot is no longer steered. Returns false if another rank holds the lease. Any rank may call this. */
bool cw_swap_recover(struct cw_journal* journal);

/* Moves the caller's rank to its home and excludes it from later swaps. Returns false if other swaps kept the
 * lease busy for four times its duration. */
bool cw_swap_leave(struct cw_journal* journal);

#endif
