/* Separates transfer from waiting in blocking calls. MPI's profiling interface only shows when a call begins
 * and ends. Of calls of the same kind and size, the fastest waited least: its time estimates the transfer. */
#ifndef COREWISE_STEER_MONITORS_TRANSFER_H
#define COREWISE_STEER_MONITORS_TRANSFER_H

#include <stdint.h>

enum { CW_TRANSFER_KINDS = 16, CW_TRANSFER_SIZES = 32 };

/* State of one thread: the fastest call of each kind and size class, ticks; 0: none yet. Must be all zero
 * before cw_transfers_start(). */
struct cw_transfers {
  uint64_t fastest[CW_TRANSFER_KINDS][CW_TRANSFER_SIZES];
  uint64_t latency_ticks; /* upper bound for a transfer without bytes */
  double ticks_per_ns;
};

void cw_transfers_start(struct cw_transfers* transfers, double ticks_per_ns);

/* Ticks of a call that count as transfer: at most the time of the fastest call so far, and at most the time
 * on a slow network, because even the fastest call may have waited. `kind`: any number that identifies the
 * MPI function.
 * @return 0..ticks. */
uint64_t cw_transfer_ticks(struct cw_transfers* transfers, uint32_t kind, uint64_t bytes, uint64_t ticks);

#endif
