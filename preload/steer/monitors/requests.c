/* See requests.h. All threads share one table, because a request may be completed by another thread. */
#include "requests.h"

#include "../../store/clock.h"
#include "share/slots.h"
#include "source.h"

enum { PLACES = 256 }; /* ages are known for this many consecutive operations; bytes are counted for all */

static _Atomic uint64_t posted[PLACES]; /* [number % PLACES] ticks; 0: none */
static _Atomic int64_t unsent_bytes;
static _Atomic int64_t most_unsent_bytes;
static bool shared = true;

_Atomic int64_t cw_open_requests_n_unsent;

void cw_open_requests_share(bool is_shared) { shared = is_shared; }

/* Returns the new sum. */
static int64_t grow(_Atomic int64_t* total, int64_t by) {
  if (shared) return atomic_fetch_add_explicit(total, by, memory_order_relaxed) + by;
  const int64_t sum = atomic_load_explicit(total, memory_order_relaxed) + by;
  atomic_store_explicit(total, sum, memory_order_relaxed);
  return sum;
}

/* Frees the operation's place, unless a later operation uses it. */
static void forget(const struct cw_operation* operation) {
  _Atomic uint64_t* place = &posted[operation->number % PLACES];
  uint64_t own = operation->posted;
  if (atomic_load_explicit(place, memory_order_relaxed) != own) return;
  if (shared) {
    atomic_compare_exchange_strong_explicit(place, &own, 0, memory_order_relaxed, memory_order_relaxed);
  } else {
    atomic_store_explicit(place, 0, memory_order_relaxed);
  }
}

static void begin(const struct cw_operation* operation) {
  atomic_store_explicit(&posted[operation->number % PLACES], operation->posted, memory_order_relaxed);
  if ((operation->flags & CW_CALL_SENDS) == 0) return;
  (void)grow(&cw_open_requests_n_unsent, 1);
  const int64_t now = grow(&unsent_bytes, (int64_t)operation->sent.bytes);
  if (now > atomic_load_explicit(&most_unsent_bytes, memory_order_relaxed))
    atomic_store_explicit(&most_unsent_bytes, now, memory_order_relaxed);
}

static void end(const struct cw_operation* operation) {
  forget(operation);
  if ((operation->flags & CW_CALL_SENDS) == 0) return;
  (void)grow(&cw_open_requests_n_unsent, -1);
  (void)grow(&unsent_bytes, -(int64_t)operation->sent.bytes);
}

void cw_open_requests_add(const struct cw_call* call) {
  for (uint32_t i = 0; i < call->n_posted; ++i) begin(&call->posted[i]);
  for (uint32_t i = 0; i < call->n_completed; ++i) end(call->completed[i].operation);
}

/* `unsent_bytes`: maximum since the last call. */
static void read_rank(struct cw_slot_content* content) {
  struct cw_rank_sample* rank = &content->rank;
  const int64_t now_unsent = atomic_load_explicit(&unsent_bytes, memory_order_relaxed);
  rank->unsent_bytes = atomic_exchange_explicit(&most_unsent_bytes, now_unsent, memory_order_relaxed);
  uint64_t oldest = 0;
  for (int i = 0; i < PLACES; ++i) {
    const uint64_t ticks = atomic_load_explicit(&posted[i], memory_order_relaxed);
    if (ticks != 0 && (oldest == 0 || ticks < oldest)) oldest = ticks;
  }
  const uint64_t now = cw_ticks();
  rank->request_age_ns =
      oldest != 0 && now > oldest ? (int64_t)((double)(now - oldest) * 1e9 / cw_ticks_per_s()) : 0;
}

const struct cw_source cw_source_requests = {.read_rank = read_rank};
