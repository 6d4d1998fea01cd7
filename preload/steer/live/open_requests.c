/* See open_requests.h. One table for all threads: a request may be completed by another one than posted it.
 */
#include "open_requests.h"

#include <stdatomic.h>

#include "../../store/clock.h"

enum { PLACES = 256 }; /* of so many operations in a row the age is known; bytes are counted of all */

static _Atomic uint64_t posted[PLACES]; /* [number % PLACES] ticks; 0: none */
static _Atomic int64_t n_unsent;
static _Atomic int64_t unsent_bytes;
static _Atomic int64_t most_unsent_bytes;

static void begin(const struct cw_operation* operation) {
  atomic_store_explicit(&posted[operation->number % PLACES], operation->posted, memory_order_relaxed);
  if ((operation->flags & CW_CALL_SENDS) == 0) return;
  atomic_fetch_add_explicit(&n_unsent, 1, memory_order_relaxed);
  const int64_t bytes = (int64_t)operation->sent.bytes;
  const int64_t now = atomic_fetch_add_explicit(&unsent_bytes, bytes, memory_order_relaxed) + bytes;
  if (now > atomic_load_explicit(&most_unsent_bytes, memory_order_relaxed))
    atomic_store_explicit(&most_unsent_bytes, now, memory_order_relaxed);
}

static void end(const struct cw_operation* operation) {
  uint64_t own = operation->posted; /* unless a later one has its place */
  atomic_compare_exchange_strong_explicit(&posted[operation->number % PLACES], &own, 0, memory_order_relaxed,
                                          memory_order_relaxed);
  if ((operation->flags & CW_CALL_SENDS) == 0) return;
  atomic_fetch_sub_explicit(&n_unsent, 1, memory_order_relaxed);
  atomic_fetch_sub_explicit(&unsent_bytes, (int64_t)operation->sent.bytes, memory_order_relaxed);
}

void cw_open_requests_add(const struct cw_call* call) {
  for (uint32_t i = 0; i < call->n_posted; ++i) begin(&call->posted[i]);
  for (uint32_t i = 0; i < call->n_completed; ++i) end(call->completed[i].operation);
}

bool cw_open_requests_unsent(void) { return atomic_load_explicit(&n_unsent, memory_order_relaxed) > 0; }

void cw_open_requests_read(struct cw_rank_sample* rank, double ticks_per_ns) {
  const int64_t now_unsent = atomic_load_explicit(&unsent_bytes, memory_order_relaxed);
  rank->unsent_bytes = atomic_exchange_explicit(&most_unsent_bytes, now_unsent, memory_order_relaxed);
  uint64_t oldest = 0;
  for (int i = 0; i < PLACES; ++i) {
    const uint64_t ticks = atomic_load_explicit(&posted[i], memory_order_relaxed);
    if (ticks != 0 && (oldest == 0 || ticks < oldest)) oldest = ticks;
  }
  const uint64_t now = cw_ticks();
  rank->request_age_ns = oldest != 0 && now > oldest ? (int64_t)((double)(now - oldest) / ticks_per_ns) : 0;
}
