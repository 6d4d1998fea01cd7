/* Fast path for calls that repeat an earlier call of their thread, with the same communicator, peer, datatype
 * and count: they are counted in the same row, without look-ups. Other calls take the long path (layer.h),
 * which may note them here. */
#ifndef COREWISE_PMPI_RECORD_REPEATS_H
#define COREWISE_PMPI_RECORD_REPEATS_H

#include <corewise_formats/profile.h>
#include <stddef.h>
#include <stdint.h>

#include "../../counters/rows.h"
#include "../../store/clock.h"
#include "calls/gate.h"
#include "calls/mpi_symbols.h"
#include "comms/groups.h"
#include "p2p.h"

/* Is the thread outside MPI, and are its calls counted without a clock and without observers? */
static inline __attribute__((always_inline)) bool cw_is_counted(void) {
  return cw_thread.gate == (CW_GATE_OPEN | CW_GATE_TRACED);
}

/* The same for calls timed by the time stamp counter. Other clocks take so long that a fast path would not
 * help. */
static inline __attribute__((always_inline)) bool cw_is_timed(void) {
#if defined(__x86_64__)
  return cw_thread.gate == (CW_GATE_OPEN | CW_GATE_TRACED | CW_GATE_TIMED) && cw_clock_is_tsc;
#else
  return false;
#endif
}

static inline __attribute__((always_inline)) uint64_t cw_fast_ticks(void) {
#if defined(__x86_64__)
  return __rdtsc();
#else
  return 0; /* never called */
#endif
}

static inline struct cw_repeat* cw_repeat_slot(uint16_t call, uint64_t message) {
  const uint64_t hash = (message ^ call) * 0x9e3779b97f4a7c15u; /* Knuth, TAOCP 3, 6.4 */
  return &cw_thread.repeats[hash >> (64 - CW_REPEAT_BITS)];
}

static inline uint64_t cw_repeat_message(int count, int dest) {
  return (uint64_t)(uint32_t)count << 32 | (uint32_t)dest;
}

/* The earlier call, or NULL. Only compares handles, because the arguments may be invalid. */
static inline __attribute__((always_inline)) const struct cw_repeat* cw_repeat_of_send(
    uint16_t call, int count, MPI_Datatype type, int dest, MPI_Comm comm) {
  const uint64_t message = cw_repeat_message(count, dest);
  const struct cw_repeat* repeat = cw_repeat_slot(call, message);
  const bool same = repeat->message == message && repeat->comm == cw_comm_number(comm) &&
                    repeat->type == (uint64_t)(uintptr_t)type && repeat->call == call &&
                    repeat->generation == atomic_load_explicit(&cw_groups_generation, memory_order_relaxed);
  return __builtin_expect(same, 1) ? repeat : NULL;
}

/* The row of a call without a message, or NULL. */
static inline __attribute__((always_inline)) struct cw_profile_row* cw_repeat_of_time(uint16_t call) {
  const struct cw_repeated_call* repeat = &cw_thread.repeated_calls[call % CW_REPEATED_CALLS];
  return __builtin_expect(repeat->call == call, 1) ? repeat->row : NULL;
}

/* Before and after the PMPI call. */
static inline __attribute__((always_inline)) uint64_t cw_begin_counted(void) {
  cw_thread.gate = (uintptr_t)__builtin_frame_address(0);
  return 0;
}

static inline __attribute__((always_inline)) void cw_end_counted(struct cw_profile_row* row, uint64_t bytes,
                                                                 uint64_t begin, int result) {
  (void)begin;
  cw_thread.gate = CW_GATE_OPEN | CW_GATE_TRACED;
  if (result != 0) return; /* MPI_SUCCESS */
  row->count += 1;
  row->bytes += bytes;
}

static inline __attribute__((always_inline)) uint64_t cw_begin_timed(void) {
  cw_thread.gate = (uintptr_t)__builtin_frame_address(0);
  return cw_fast_ticks();
}

static inline __attribute__((always_inline)) void cw_end_timed(struct cw_profile_row* row, uint64_t bytes,
                                                               uint64_t begin, int result) {
  const uint64_t end = cw_fast_ticks();
  cw_thread.gate = CW_GATE_OPEN | CW_GATE_TRACED | CW_GATE_TIMED;
  if (result != 0) return;
  if (__builtin_expect(end > cw_thread.rows->window_end, 0)) cw_rows_window_ended(cw_thread.rows);
  row->count += 1;
  row->bytes += bytes;
  row->ticks += end - begin;
  cw_thread.rows->head->last_ticks = end;
}

/* At the end of a successful call on the long path: notes the row in which it was counted. Derived datatypes
 * are not noted, because MPI may reuse their handles. */
static inline void cw_repeat_note_send(uint16_t call, const struct cw_span* span, int count,
                                       MPI_Datatype type, int dest, MPI_Comm comm) {
  const bool is_predefined = cw_thread.type == (uint64_t)(uintptr_t)type && cw_thread.type_bytes != 0;
  if ((span->gate & (CW_GATE_TRACED | CW_GATE_WATCHED)) != CW_GATE_TRACED || dest < 0 || count < 0 ||
      !is_predefined)
    return;
  const struct cw_peer peer = cw_peer_in(comm, dest);
  if (peer.rank == -1 || peer.rank == CW_NO_MEMBER) return;
  const uint64_t bytes = (uint64_t)count * cw_thread.type_bytes;
  const int size_class = bytes == 0 ? 0 : 64 - __builtin_clzll(bytes);
  struct cw_profile_row* row = cw_row_recent(
      cw_row_key(peer.rank, call, (uint8_t)size_class, CW_ROW_CALL | CW_ROW_TO_PEER), peer.comm);
  if (row == NULL) return;
  const uint64_t message = cw_repeat_message(count, dest);
  *cw_repeat_slot(call, message) =
      (struct cw_repeat){.message = message,
                         .comm = cw_comm_number(comm),
                         .type = (uint64_t)(uintptr_t)type,
                         .row = row,
                         .bytes = bytes,
                         .generation = atomic_load_explicit(&cw_groups_generation, memory_order_relaxed),
                         .call = call};
}

static inline void cw_repeat_note_time(uint16_t call, const struct cw_span* span) {
  if ((span->gate & (CW_GATE_TRACED | CW_GATE_WATCHED)) != CW_GATE_TRACED) return;
  struct cw_profile_row* row = cw_row_recent(cw_row_key(-1, call, 0, CW_ROW_CALL), 0);
  if (row == NULL) return;
  cw_thread.repeated_calls[call % CW_REPEATED_CALLS] = (struct cw_repeated_call){.row = row, .call = call};
}

#endif
