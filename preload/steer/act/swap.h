/* Swaps the cores of two ranks of a node, and mends what an actuator left that was killed or stopped.
 *
 * Neither rank helps: all is done from outside, by any rank of the node, in the order
 *   lease, recovery of what is there, threads with their own masks kept, swap written down, first rank
 *   moved, second rank moved, both read back, homes exchanged, lease released.
 * Until the homes are exchanged, everybody who finds the swap unfinished puts both ranks back. */
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
  bool done;         /* both ranks have the other's home, read back */
  bool lost;         /* the lease was taken over meanwhile: the ranks are where the new holder put them */
  int64_t shared_ns; /* both ranks may have been on one core for so long */
};

/* Called after each step, for fault injection; NULL in a job. */
typedef void (*cw_swap_hook)(enum cw_swap_step step, void* argument);

/* Exchanges the homes of two slots. Where the caller is one of them, pass it as slot_b: the rank that moves
 * second is the one that runs, and moving oneself first made the swap up to twenty times longer. */
struct cw_swap_report cw_swap(struct cw_journal* journal, int slot_a, int slot_b, cw_swap_hook hook,
                              void* argument);

/* Finishes or takes back an unfinished swap, and puts every rank on this node that is elsewhere back to its
 * home; where the kernel refuses a home (a cpuset shrank), the rank may run wherever the kernel lets it, and
 * its slot is not steered any more. False: somebody else is at it. To be called by any rank now and then. */
bool cw_swap_recover(struct cw_journal* journal);

/* The caller's rank is not swapped from here on, and is on its home. False where others were at swaps for
 * four times as long as a lease. */
bool cw_swap_leave(struct cw_journal* journal);

#endif
