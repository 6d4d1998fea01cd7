/* How much of a call's time the transfer took, for MPI's profiling interface tells only when calls begin and
 * end: of calls of one kind and size the fastest one waited least, so its time is what the transfer takes. */
#ifndef COREWISE_STEER_MONITORS_TRANSFER_H
#define COREWISE_STEER_MONITORS_TRANSFER_H

#include <stdint.h>

enum { CW_TRANSFER_KINDS = 16, CW_TRANSFER_SIZES = 32 };

/* Of one thread: the fastest call of each kind and size, ticks; 0: none yet. All zero before
 * cw_transfers_start(). */
struct cw_transfers {
  uint64_t fastest[CW_TRANSFER_KINDS][CW_TRANSFER_SIZES];
  uint64_t latency_ticks; /* the most that a transfer without bytes is taken to need */
  double ticks_per_ns;
};

void cw_transfers_start(struct cw_transfers* transfers, double ticks_per_ns);

/* Ticks of a call that the transfer took: at most as long as the fastest one so far, and at most what a slow
 * network takes, for a call may have waited every time. `kind`: any number that tells calls apart.
 * @return 0..ticks. */
uint64_t cw_transfer_ticks(struct cw_transfers* transfers, uint32_t kind, uint64_t bytes, uint64_t ticks);

#endif
