/* See calls.h. */
#define _GNU_SOURCE
#include "calls.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "../../store/clock.h"
#include "requests.h"
#include "share/slots.h"
#include "source.h"
#include "transfer.h"

enum { MOST_THREADS = 256, PEER_PLACES = 64, PEER_TRIES = 8 };

struct peer {
  _Atomic int32_t rank_after; /* rank + 1; 0: free */
  _Atomic int64_t bytes;
};

/* Totals of one thread. Other threads may read them at any time: they are atomic, but need no order. */
struct block {
  _Atomic int64_t compute; /* ticks */
  _Atomic int64_t wait;
  _Atomic int64_t transfer;
  _Atomic int64_t unsent_compute;
  _Atomic int64_t calls;
  struct peer peers[PEER_PLACES]; /* if there are too many, later ones are not counted */
  uint64_t last_end;              /* end of the thread's last call; 0: none yet */
  bool used;                      /* protected by `lock` */
  struct cw_transfers transfers;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct block* _Atomic blocks[MOST_THREADS];
static pthread_key_t thread_end;
static bool have_thread_end;
static bool requests_followed;
static double ticks_per_ns = 1;

static __thread struct block* own __attribute__((tls_model("initial-exec")));

static void add(_Atomic int64_t* total, uint64_t amount) {
  const int64_t sum = atomic_load_explicit(total, memory_order_relaxed) + (int64_t)amount;
  atomic_store_explicit(total, sum, memory_order_relaxed);
}

static int64_t read_total(_Atomic int64_t* total) {
  return atomic_load_explicit(total, memory_order_relaxed);
}

/* When a thread ends. Its totals stay, and a later thread continues with the block. */
static void give_back(void* block) {
  pthread_mutex_lock(&lock);
  ((struct block*)block)->used = false;
  ((struct block*)block)->last_end = 0;
  pthread_mutex_unlock(&lock);
}

static struct block* find_block(void) {
  for (int i = 0; i < MOST_THREADS; ++i) {
    struct block* block = atomic_load(&blocks[i]);
    if (block == NULL) {
      block = calloc(1, sizeof *block);
      if (block == NULL) return NULL;
      cw_transfers_start(&block->transfers, ticks_per_ns);
      atomic_store(&blocks[i], block);
    }
    if (!block->used) {
      block->used = true;
      return block;
    }
  }
  return NULL;
}

static struct block* new_block(void) {
  pthread_mutex_lock(&lock);
  struct block* block = find_block();
  pthread_mutex_unlock(&lock);
  if (block != NULL && have_thread_end) pthread_setspecific(thread_end, block);
  return block;
}

bool cw_call_times_start(bool follow_requests, bool threaded) {
  requests_followed = follow_requests;
  cw_open_requests_share(threaded);
  ticks_per_ns = cw_ticks_per_s() / 1e9;
  have_thread_end = pthread_key_create(&thread_end, give_back) == 0;
  own = new_block();
  if (own != NULL) own->last_end = cw_ticks();
  return own != NULL;
}

static void add_peer(struct block* block, const struct cw_message* sent) {
  if (sent->peer < 0) return;
  for (uint32_t i = 0; i < PEER_TRIES; ++i) {
    struct peer* peer = &block->peers[((uint32_t)sent->peer + i) % PEER_PLACES];
    const int32_t found = atomic_load_explicit(&peer->rank_after, memory_order_relaxed);
    if (found != 0 && found != sent->peer + 1) continue;
    add(&peer->bytes, sent->bytes);
    if (found == 0) atomic_store_explicit(&peer->rank_after, sent->peer + 1, memory_order_relaxed);
    return;
  }
}

/* Bytes that were sent or received by the end of the call. */
static uint64_t bytes_of(const struct cw_call* call) {
  uint64_t bytes = 0;
  if ((call->flags & CW_CALL_SENDS) != 0) bytes += call->sent.bytes;
  if ((call->flags & CW_CALL_GOT) != 0) bytes += call->received.bytes;
  for (uint32_t i = 0; i < call->n_completed; ++i) {
    const struct cw_completion* done = &call->completed[i];
    const bool receives = (done->operation->flags & CW_CALL_RECEIVES) != 0;
    bytes += receives ? done->received.bytes : done->operation->sent.bytes;
  }
  if ((call->flags & (CW_CALL_SENDS | CW_CALL_RECEIVES | CW_CALL_PROBES | CW_CALL_COMPLETES)) == 0) {
    for (uint32_t i = 0; i < call->n_counts; ++i) bytes += call->counts[i].bytes;
  }
  return bytes;
}

/* Calls that don't block count as transfer, except tests and probes that found nothing: these count as
 * waiting. */
static bool looked_in_vain(const struct cw_call* call) {
  if ((call->flags & CW_CALL_PROBES) != 0) return (call->flags & CW_CALL_GOT) == 0;
  return (call->flags & CW_CALL_COMPLETES) != 0 && call->n_completed == 0;
}

static void add_times(struct block* block, const struct cw_call* call) {
  const uint64_t ticks = call->end - call->begin;
  uint64_t transfer = looked_in_vain(call) ? 0 : ticks;
  if ((call->flags & CW_CALL_BLOCKS) != 0) {
    transfer = cw_transfer_ticks(&block->transfers, call->call, bytes_of(call), ticks);
    add(&block->calls, 1);
  }
  add(&block->transfer, transfer);
  add(&block->wait, ticks - transfer);
}

void cw_call_times_add(const struct cw_call* call) {
  struct block* block = own;
  if (block == NULL) block = own = new_block();
  if (block == NULL) return;
  if (block->last_end != 0 && call->begin > block->last_end) {
    const uint64_t computed = call->begin - block->last_end;
    add(&block->compute, computed);
    if (requests_followed && cw_open_requests_unsent()) add(&block->unsent_compute, computed);
  }
  block->last_end = call->end;
  add_times(block, call);
  if ((call->flags & (CW_CALL_SENDS | CW_CALL_PREPARES)) == CW_CALL_SENDS) add_peer(block, &call->sent);
  if (requests_followed && (call->n_posted > 0 || call->n_completed > 0)) cw_open_requests_add(call);
}

void cw_call_times_leave_out(uint64_t ticks) {
  if (own != NULL && own->last_end != 0) own->last_end += ticks;
}

/* Keeps the peers with the most bytes, in decreasing order. */
static void keep_peer(struct cw_slot_content* content, int64_t peer, int64_t bytes) {
  struct cw_peer_sample* peers = content->peers;
  for (int64_t i = 0; i < content->n_peers; ++i) {
    if (peers[i].peer == peer) {
      peers[i].bytes += bytes;
      return;
    }
  }
  int64_t place = content->n_peers;
  while (place > 0 && peers[place - 1].bytes < bytes) --place;
  if (place == CW_STEER_MOST_PEERS) return;
  if (content->n_peers < CW_STEER_MOST_PEERS) ++content->n_peers;
  memmove(&peers[place + 1], &peers[place], sizeof *peers * (size_t)(content->n_peers - 1 - place));
  peers[place] = (struct cw_peer_sample){.rank = content->rank.id, .peer = peer, .bytes = bytes};
}

static int64_t ns_of(_Atomic int64_t* ticks) { return (int64_t)((double)read_total(ticks) / ticks_per_ns); }

static void add_block(struct cw_slot_content* content, struct block* block) {
  struct cw_rank_sample* rank = &content->rank;
  rank->compute_ns += ns_of(&block->compute);
  rank->wait_ns += ns_of(&block->wait);
  rank->transfer_ns += ns_of(&block->transfer);
  rank->unsent_compute_ns += ns_of(&block->unsent_compute);
  rank->calls += read_total(&block->calls);
  for (int i = 0; i < PEER_PLACES; ++i) {
    const int32_t found = atomic_load_explicit(&block->peers[i].rank_after, memory_order_relaxed);
    if (found != 0) keep_peer(content, found - 1, read_total(&block->peers[i].bytes));
  }
}

static void read_rank(struct cw_slot_content* content) {
  struct cw_rank_sample* rank = &content->rank;
  rank->compute_ns = rank->wait_ns = rank->transfer_ns = rank->unsent_compute_ns = rank->calls = 0;
  content->n_peers = 0;
  for (int i = 0; i < MOST_THREADS; ++i) {
    struct block* block = atomic_load(&blocks[i]);
    if (block == NULL) break;
    add_block(content, block);
  }
}

const struct cw_source cw_source_calls = {.read_rank = read_rank};
