/* The steps of a swap, and recovery from every one of them. */
#define _GNU_SOURCE
#include "swap.h"

#include <string.h>
#include <time.h>

#include "journal_file.h"

static bool valid_slot(int slot) { return slot >= 0 && slot < CW_MOST_STEERED; }

static int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Where a home is refused, all PUs: the kernel takes those of them that the process may use. The slot is
 * given up, because its home would be its claim to a core that it does not have. */
static void send_home(struct cw_journal* journal, int slot) {
  struct cw_journal_party* party = &journal->file->parties[slot];
  const struct cw_pu_mask home = cw_journal_home(journal, slot);
  if (cw_process_move(&party->process, &home) != CW_MOVE_REFUSED) return;
  struct cw_pu_mask all;
  memset(&all, 0xff, sizeof all);
  cw_process_move(&party->process, &all);
  party->process.pid = 0;
}

/* Stores a home of swap `number`, unless that or a later swap did so already: one who was stopped here may
 * come when the next swap is long done. Numbers come round after four million swaps, so half of them are
 * later. */
static void store_home(struct cw_journal_file* file, uint32_t slot, uint32_t number, uint32_t home) {
  uint32_t seen = atomic_load(&file->homes[slot]);
  const uint32_t ahead = (number - seen / CW_MOST_STEERED) % CW_JOURNAL_NUMBERS;
  if (ahead != 0 && ahead < CW_JOURNAL_NUMBERS / 2)
    atomic_compare_exchange_strong(&file->homes[slot], &seen, number * CW_MOST_STEERED + home);
}

/* From `word` to the same swap in another phase. False: somebody else has changed it. */
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

/* With the lease held. */
static void recover(struct cw_journal* journal) {
  struct cw_journal_file* file = journal->file;
  uint64_t word = atomic_load(&file->swap);
  const uint32_t phase = cw_journal_unpack(word).phase;
  if (phase == CW_JOURNAL_COMMITTED) exchange_homes(file, word);
  if (phase != CW_JOURNAL_QUIET) enter_phase(file, &word, CW_JOURNAL_QUIET);
  for (int slot = 0; slot < CW_MOST_STEERED; ++slot) {
    const struct cw_pu_mask home = cw_journal_home(journal, slot);
    if (cw_journal_is_steered(journal, slot) && !cw_process_is_at(&file->parties[slot].process, &home))
      send_home(journal, slot);
  }
}

bool cw_swap_recover(struct cw_journal* journal) {
  const uint64_t lease = cw_journal_take(journal);
  if (lease == 0) return false;
  recover(journal);
  cw_journal_release(journal, lease);
  return true;
}

/* One swap as its caller sees it. */
struct swap {
  struct cw_journal* journal;
  uint64_t lease;
  uint64_t word; /* that it wrote into the journal */
  cw_swap_hook hook;
  void* argument;
};

/* Behind a step: false where the lease was lost, for the caller was stopped for longer than it lasts. */
static bool step(const struct swap* swap, enum cw_swap_step step) {
  if (swap->hook) swap->hook(step, swap->argument);
  return cw_journal_holds(swap->journal, swap->lease);
}

static bool both_live(const struct cw_journal_file* file, int slot_a, int slot_b) {
  return cw_process_lives(&file->parties[slot_a].process) && cw_process_lives(&file->parties[slot_b].process);
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

/* Moves both ranks; true where both are there and the lease was held all the time. */
static bool move_both(const struct swap* swap, struct cw_swap_report* report) {
  const struct cw_journal_file* file = swap->journal->file;
  const struct cw_journal_swap record = cw_journal_unpack(swap->word);
  const struct cw_process_id *a = &file->parties[record.slot_a].process,
                             *b = &file->parties[record.slot_b].process;
  const struct cw_pu_mask *to_a = &file->parties[record.home_b].mask,
                          *to_b = &file->parties[record.home_a].mask;
  const int64_t begin_ns = now_ns();
  bool moved = cw_process_move(a, to_a) == CW_MOVE_DONE;
  moved = step(swap, CW_SWAP_FIRST_MOVED) && moved;
  if (moved) moved = cw_process_move(b, to_b) == CW_MOVE_DONE;
  report->shared_ns = now_ns() - begin_ns;
  moved = step(swap, CW_SWAP_SECOND_MOVED) && moved;
  return moved && cw_process_is_at(a, to_a) && cw_process_is_at(b, to_b);
}

/* The exchange of one word that makes the swap true; what follows anybody can finish. */
static bool commit(struct swap* swap) {
  struct cw_journal_file* file = swap->journal->file;
  if (!enter_phase(file, &swap->word, CW_JOURNAL_COMMITTED) || !step(swap, CW_SWAP_COMMITTED)) return false;
  exchange_homes(file, swap->word);
  if (!step(swap, CW_SWAP_HOMES_EXCHANGED)) return false;
  return enter_phase(file, &swap->word, CW_JOURNAL_QUIET) && step(swap, CW_SWAP_QUIET);
}

/* A holder that lost its lease may have moved a rank after the new holder mended everything: so it asks for
 * the lease again until it has mended that itself. The new holder's lease ends, so this does too. */
static void mend_after_loss(struct cw_journal* journal) {
  const struct timespec pause = {.tv_nsec = 1000000};
  for (int64_t waited_ms = 0; waited_ms < 4 * journal->lease_ms && !cw_swap_recover(journal); ++waited_ms)
    nanosleep(&pause, NULL);
}

struct cw_swap_report cw_swap(struct cw_journal* journal, int slot_a, int slot_b, cw_swap_hook hook,
                              void* argument) {
  struct cw_swap_report report = {0};
  if (!valid_slot(slot_a) || !valid_slot(slot_b) || slot_a == slot_b) return report;
  struct swap swap = {
      .journal = journal, .lease = cw_journal_take(journal), .hook = hook, .argument = argument};
  if (swap.lease == 0) return report;
  recover(journal);
  if (step(&swap, CW_SWAP_LEASED) && both_live(journal->file, slot_a, slot_b) &&
      write_down(&swap, slot_a, slot_b)) {
    report.done = step(&swap, CW_SWAP_WRITTEN) && move_both(&swap, &report) && commit(&swap);
  }
  report.lost = !cw_journal_holds(journal, swap.lease);
  if (!report.lost && !report.done) recover(journal);
  cw_journal_release(journal, swap.lease);
  if (report.lost) mend_after_loss(journal);
  return report;
}
