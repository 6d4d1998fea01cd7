/* The parts of watch.h that are not inline: they are rare, or slow anyway. */
#include "watch.h"

#include "../counters/rows.h"
#include "../store/store.h"
#include "watch_memory.h"

void cw_watch_count_more(struct cw_watch* watch, const struct cw_event* event) {
  struct cw_event* counts = cw_watch_array(CW_ARRAY_COUNTS, (watch->call.n_counts + 1) * sizeof *counts);
  if (counts == NULL) {
    cw_store_fault(CW_FAULT_NO_MEMORY);
    return;
  }
  if (watch->call.n_counts == 1) counts[0] = watch->count;
  counts[watch->call.n_counts++] = *event;
  watch->call.counts = counts;
}

/* Adds the time waited for a message to the profile, in a separate row. */
static void add_wait(const struct cw_watch* watch, struct cw_message message, uint64_t ticks) {
  const uintptr_t needed = CW_GATE_TRACED | CW_GATE_TIMED;
  if ((watch->span.gate & needed) != needed || message.peer < 0) return;
  const uint64_t end = watch->call.end;
  const struct cw_event event = {.call = watch->call.call,
                                 .flags = CW_ROW_WAIT,
                                 .peer = message.peer,
                                 .bytes = message.bytes,
                                 .begin = end - ticks,
                                 .end = end};
  cw_row_count(&event, true);
}

/* MPI doesn't report how long a call waited for each of its requests: each gets an equal share. */
void cw_watch_share_wait(struct cw_watch* watch) {
  struct cw_call* call = &watch->call;
  const uint64_t ticks = call->end - call->begin;
  if ((call->flags & CW_CALL_GOT) != 0) {
    call->waited = ticks;
    add_wait(watch, call->received, ticks);
  }
  const uint64_t share = call->n_completed > 0 ? ticks / call->n_completed : 0;
  for (uint32_t i = 0; i < call->n_completed; ++i) {
    struct cw_completion* done = &watch->completions[i];
    const bool receives = (done->operation->flags & CW_CALL_RECEIVES) != 0;
    done->waited = share;
    add_wait(watch, receives ? done->received : done->operation->sent, done->waited);
  }
}
