/* See swap.h. A process may be killed or stopped between any two lines here, and others recover. */
#define _GNU_SOURCE
#include "swap.h"

#include <string.h>
#include <time.h>

#include "journal_file.h"
#include "lease.h"
#include "slice.h"

static bool valid_slot(int slot) { return slot >= 0 && slot < CW_MOST_STEERED; }

static int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Copies the initial masks of all slots to this process: steering never sets other masks. */
static int copy_homes(struct cw_journal* journal) {
  int n = 0;
  for (int slot = 0; slot < CW_MOST_STEERED; ++slot) {
    if (cw_journal_was_entered(journal, slot)) journal->homes[n++] = cw_journal_mask(journal, slot);
  }
  return n;
}

/* If the kernel refuses a home, the rank's slot is given up, because the slot would claim cores that the rank
 * can't have. */
static void send_home(struct cw_journal* journal, int slot, int n_homes) {
  const struct cw_process_id process = cw_journal_process(journal, slot);
  const struct cw_pu_mask home = cw_journal_home(journal, slot);
  struct cw_belonging belonging = cw_journal_belonging(journal, slot, &home);
  belonging.homes = journal->homes;
  belonging.n_homes = n_homes;
  if (cw_process_is_at(&process, &belonging)) return;
  if (cw_process_move(&process, &belonging) != CW_MOVE_REFUSED) return;
  cw_process_release(&process, &belonging);
  cw_journal_leave(journal, slot);
}

/* Stores a home of swap `number`, unless the word already has that or a later number: a process that was
 * stopped at this point may resume after the next swap has finished. Numbers wrap around, so half of all
 * numbers count as later. */
static void store_home(struct cw_journal_file* file, uint32_t slot, uint32_t number, uint32_t home) {
  uint32_t seen = atomic_load(&file->homes[slot]);
  const uint32_t ahead = (number - seen / CW_MOST_STEERED) % CW_JOURNAL_NUMBERS;
  if (ahead != 0 && ahead < CW_JOURNAL_NUMBERS / 2)
    atomic_compare_exchange_strong(&file->homes[slot], &seen, number * CW_MOST_STEERED + home);
}

/* Changes the phase of the swap `word`. False: another process has changed the word. */
static bool enter_phase(struct cw_journal_file* file, uint64_t* word, uint32_t phase) {
  struct cw_journal_swap next = cw_journal_unpack(*word);
  next.phase = phase;
  const uint64_t wanted = cw_journal_pack(&next);
  if (!atomic_compare_exchange_strong(&file->swap, word, wanted)) return false;
  *word = wanted;
  return true;
}

static void exchange_homes(struct cw_journal_file* file, uint64_t word) {
  const struct cw_journal_swap swap = cw_journal_unpack(word);
  store_home(file, swap.slot_a, swap.number, swap.home_b);
  store_home(file, swap.slot_b, swap.number, swap.home_a);
}

/* The caller holds the lease. */
static void recover(struct cw_journal* journal) {
  struct cw_journal_file* file = journal->file;
  uint64_t word = atomic_load(&file->swap);
  const uint32_t phase = cw_journal_unpack(word).phase;
  if (phase == CW_JOURNAL_COMMITTED) exchange_homes(file, word);
  if (phase != CW_JOURNAL_QUIET) enter_phase(file, &word, CW_JOURNAL_QUIET);
  const int n_homes = copy_homes(journal);
  for (int slot = 0; slot < CW_MOST_STEERED; ++slot) {
    if (cw_journal_is_steered(journal, slot)) send_home(journal, slot, n_homes);
  }
}

/* Releases the lease. False: it was lost before. */
static bool give_back(struct cw_journal* journal, uint64_t lease) {
  const bool held = cw_lease_holds(journal, lease);
  cw_lease_release(journal, lease);
  return held;
}

/* A process that lost its lease may have moved a rank after the new holder moved all ranks home. So it takes
 * the lease again, until it has moved all ranks home itself without losing the lease. The new holder's lease
 * ends, so this ends, too. */
static void mend_after_loss(struct cw_journal* journal) {
  const struct timespec pause = {.tv_nsec = 1000000};
  bool restored = false;
  for (int64_t waited_ms = 0; waited_ms < 4 * journal->lease_ms && !restored; ++waited_ms) {
    const uint64_t lease = cw_lease_take(journal);
    if (lease != 0) recover(journal);
    restored = lease != 0 && give_back(journal, lease);
    if (!restored) nanosleep(&pause, NULL);
  }
}

bool cw_swap_recover(struct cw_journal* journal) {
  const uint64_t lease = cw_lease_take(journal);
  if (lease == 0) return false;
  recover(journal);
  if (!give_back(journal, lease)) mend_after_loss(journal);
  return true;
}

/* One swap. */
struct swap {
  struct cw_journal* journal;
  uint64_t lease;
  uint64_t word; /* the swap in the journal */
  cw_swap_hook hook;
  void* argument;
};

/* Called after a step. False: the lease was lost, because this process was stopped for longer. */
static bool step(const struct swap* swap, enum cw_swap_step step) {
  if (swap->hook) swap->hook(step, swap->argument);
  return cw_lease_holds(swap->journal, swap->lease);
}

/* Records the threads of a slot that are bound to a part of its home. False: the slot can't be swapped. */
static bool keep_own_masks(struct cw_journal* journal, int slot) {
  const struct cw_process_id process = cw_journal_process(journal, slot);
  const struct cw_pu_mask home = cw_journal_home(journal, slot);
  struct cw_own_masks own;
  struct cw_pu_mask now;
  if (!cw_process_lives(&process) || !cw_process_mask(&process, &now) || !cw_mask_within(&now, &home))
    return false;
  if (!cw_process_own_masks(&process, &home, &own)) return false;
  cw_journal_write_own(journal, slot, &own);
  return true;
}

static bool write_down(struct swap* swap, int slot_a, int slot_b) {
  struct cw_journal_file* file = swap->journal->file;
  uint64_t seen = atomic_load(&file->swap);
  const struct cw_journal_swap last = cw_journal_unpack(seen);
  const struct cw_journal_swap next = {
      .number = last.number + 1,
      .phase = CW_JOURNAL_MOVING,
      .slot_a = (uint32_t)slot_a,
      .slot_b = (uint32_t)slot_b,
      .home_a = atomic_load(&file->homes[slot_a]) % CW_MOST_STEERED,
      .home_b = atomic_load(&file->homes[slot_b]) % CW_MOST_STEERED,
  };
  swap->word = cw_journal_pack(&next);
  return last.phase == CW_JOURNAL_QUIET && atomic_compare_exchange_strong(&file->swap, &seen, swap->word);
}

/* One rank of a swap, with the home that it moves to. */
struct party {
  struct cw_process_id process;
  struct cw_belonging belonging;
};

static struct party party_of(const struct swap* swap, uint32_t slot, uint32_t wanted,
                             const struct cw_pu_mask homes[2]) {
  const struct cw_pu_mask home = cw_journal_mask(swap->journal, (int)wanted);
  struct party party = {.process = cw_journal_process(swap->journal, (int)slot),
                        .belonging = cw_journal_belonging(swap->journal, (int)slot, &home)};
  party.belonging.homes = homes;
  party.belonging.n_homes = 2;
  return party;
}

/* Moves both ranks. True: both are in place, and the lease was held throughout. */
static bool move_both(const struct swap* swap, struct cw_swap_report* report) {
  const struct cw_journal_swap record = cw_journal_unpack(swap->word);
  const struct cw_pu_mask homes[2] = {cw_journal_mask(swap->journal, (int)record.home_a),
                                      cw_journal_mask(swap->journal, (int)record.home_b)};
  const struct party a = party_of(swap, record.slot_a, record.home_b, homes);
  const struct party b = party_of(swap, record.slot_b, record.home_a, homes);
  const struct cw_slice slice = cw_slice_shorten();
  const int64_t begin_ns = now_ns();
  bool moved = cw_process_move(&a.process, &a.belonging) == CW_MOVE_DONE;
  moved = step(swap, CW_SWAP_FIRST_MOVED) && moved;
  if (moved) moved = cw_process_move(&b.process, &b.belonging) == CW_MOVE_DONE;
  report->shared_ns = now_ns() - begin_ns;
  cw_slice_restore(&slice);
  moved = step(swap, CW_SWAP_SECOND_MOVED) && moved;
  return moved && cw_process_is_at(&a.process, &a.belonging) && cw_process_is_at(&b.process, &b.belonging);
}

/* Commits the swap by the exchange of one word. After that, any rank can finish it. */
static bool commit(struct swap* swap) {
  struct cw_journal_file* file = swap->journal->file;
  if (!enter_phase(file, &swap->word, CW_JOURNAL_COMMITTED) || !step(swap, CW_SWAP_COMMITTED)) return false;
  exchange_homes(file, swap->word);
  if (!step(swap, CW_SWAP_HOMES_EXCHANGED)) return false;
  return enter_phase(file, &swap->word, CW_JOURNAL_QUIET) && step(swap, CW_SWAP_QUIET);
}

struct cw_swap_report cw_swap(struct cw_journal* journal, int slot_a, int slot_b, cw_swap_hook hook,
                              void* argument) {
  struct cw_swap_report report = {0};
  if (!valid_slot(slot_a) || !valid_slot(slot_b) || slot_a == slot_b) return report;
  struct swap swap = {
      .journal = journal, .lease = cw_lease_take(journal), .hook = hook, .argument = argument};
  if (swap.lease == 0) return report;
  recover(journal);
  if (step(&swap, CW_SWAP_LEASED) && keep_own_masks(journal, slot_a) && keep_own_masks(journal, slot_b) &&
      write_down(&swap, slot_a, slot_b)) {
    report.done = step(&swap, CW_SWAP_WRITTEN) && move_both(&swap, &report) && commit(&swap);
  }
  report.lost = !cw_lease_holds(journal, swap.lease);
  if (!report.lost && !report.done) recover(journal);
  if (!give_back(journal, swap.lease)) mend_after_loss(journal);
  return report;
}

bool cw_swap_leave(struct cw_journal* journal) {
  const struct timespec pause = {.tv_nsec = 200000};
  for (int64_t waited_us = 0; waited_us < 4000 * journal->lease_ms; waited_us += 200) {
    const uint64_t lease = cw_lease_take(journal);
    if (lease != 0) {
      recover(journal);
      const bool left = cw_lease_holds(journal, lease);
      if (left) cw_journal_leave(journal, journal->slot);
      cw_lease_release(journal, lease);
      if (left) return true;
    }
    nanosleep(&pause, NULL);
  }
  return false;
}
