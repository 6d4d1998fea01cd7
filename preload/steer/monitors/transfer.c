/* See transfer.h. */
#include "transfer.h"

/* Upper bound for a transfer: 20 us and 500 MB/s. The slowest transport that was measured, TCP over loopback
 * on a 2-core virtual machine, needs about half of both (docs/evidence/log/2026-11-steering.md). */
enum { MOST_LATENCY_NS = 20000, MOST_NS_PER_BYTE = 2 };

static uint64_t lesser(uint64_t a, uint64_t b) { return a < b ? a : b; }

static unsigned size_class(uint64_t bytes) {
  const unsigned bits = bytes == 0 ? 0 : 64u - (unsigned)__builtin_clzll(bytes);
  return bits < CW_TRANSFER_SIZES ? bits : CW_TRANSFER_SIZES - 1;
}

void cw_transfers_start(struct cw_transfers* transfers, double ticks_per_ns) {
  transfers->ticks_per_ns = ticks_per_ns;
  transfers->latency_ticks = (uint64_t)(MOST_LATENCY_NS * ticks_per_ns);
}

uint64_t cw_transfer_ticks(struct cw_transfers* transfers, uint32_t kind, uint64_t bytes, uint64_t ticks) {
  uint64_t* fastest = &transfers->fastest[kind % CW_TRANSFER_KINDS][size_class(bytes)];
  if (*fastest == 0 || ticks < *fastest) *fastest = ticks > 0 ? ticks : 1;
  if (ticks <= transfers->latency_ticks) return lesser(ticks, *fastest); /* most calls end here */
  const double most_ns = MOST_LATENCY_NS + MOST_NS_PER_BYTE * (double)bytes;
  return lesser(ticks, lesser(*fastest, (uint64_t)(most_ns * transfers->ticks_per_ns)));
}
