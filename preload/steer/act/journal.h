/* The journal of swaps: one file per node in shared memory, with the home of every rank and the current swap.
 *
 * A rank's home is the mask that it should have: its initial mask, or that of another rank. No two ranks have
 * the same home. A swap is written to the journal before a process is moved, and takes effect by one atomic
 * exchange of one word. A process that finds an unfinished swap therefore knows where every rank belongs. Any
 * rank of the node may act; a lease ensures that one acts at a time.
 *
 * A process that was stopped for longer than its lease may resume before any store. Therefore each word
 * contains the number of its swap and changes only by compare-and-exchange: a late store finds another number
 * and fails. */
#ifndef COREWISE_STEER_JOURNAL_H
#define COREWISE_STEER_JOURNAL_H

#include "process.h"

struct cw_journal;

/* Opens or creates the journal at `path` for the rank in `slot`. `lease_ms`: how long a rank may take for a
 * swap before others take over. NULL: `message` (CW_SHARED_MESSAGE_BYTES) says why; see
 * cw_shared_file_map(). */
struct cw_journal* cw_journal_open(const char* path, int slot, int64_t lease_ms, char* message);

void cw_journal_close(struct cw_journal* journal);

/* Enters the process of a slot with its initial mask, which is its first home. Called once for each slot,
 * before its first swap. */
void cw_journal_enter(struct cw_journal* journal, int slot, const struct cw_process_id* process,
                      const struct cw_pu_mask* mask);

/* Gives up a slot; its process stays where it is. Called by that process while no swap is in progress
 * (cw_swap_leave()). */
void cw_journal_leave(struct cw_journal* journal, int slot);

/* The process of a slot; pid 0: none, or not steered. */
struct cw_process_id cw_journal_process(const struct cw_journal* journal, int slot);

struct cw_pu_mask cw_journal_home(const struct cw_journal* journal, int slot);

/* Was a swap started that is neither finished nor undone? */
bool cw_journal_is_unfinished(const struct cw_journal* journal);

/* Does the slot have a steered process? Steering of a process ends if the kernel refuses its mask. */
bool cw_journal_is_steered(const struct cw_journal* journal, int slot);

#endif
