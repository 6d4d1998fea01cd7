/* The journal of swaps: one file a node in shared memory, with the home of every rank and the swap under way.
 *
 * A rank's home is where it belongs: the mask that it or another rank came with, and no two have the same. A
 * swap is written down before anything moves and becomes true by one exchange of one word, so whoever finds
 * an unfinished swap knows where everybody belongs. Any rank of the node may act; a lease makes it one at a
 * time.
 *
 * One who was stopped for longer than its lease may go on at any store. Therefore every word carries the
 * number of its swap and changes by compare-and-exchange alone: a late one finds another number and fails. */
#ifndef COREWISE_STEER_JOURNAL_H
#define COREWISE_STEER_JOURNAL_H

#include "process.h"

/* An open journal. */
struct cw_journal;

/* Opens the journal at `path` for the rank in `slot`, or makes it. `lease_ms`: how long the rank may be at a
 * swap before others take over. NULL: `message` (CW_SHARED_MESSAGE_BYTES) says why not, as of
 * cw_shared_file_map(). */
struct cw_journal* cw_journal_open(const char* path, int slot, int64_t lease_ms, char* message);

void cw_journal_close(struct cw_journal* journal);

/* Enters the process of a slot and the mask that it came with, which is its home at first. Once for each
 * slot, before any swap of it. */
void cw_journal_enter(struct cw_journal* journal, int slot, const struct cw_process_id* process,
                      const struct cw_pu_mask* mask);

/* Gives up a slot, whose process stays where it is. By itself, when no swap is under way (cw_swap_leave()).
 */
void cw_journal_leave(struct cw_journal* journal, int slot);

/* The process of a slot; pid 0 where it has none that is steered. */
struct cw_process_id cw_journal_process(const struct cw_journal* journal, int slot);

/* Mask of a slot's home. */
struct cw_pu_mask cw_journal_home(const struct cw_journal* journal, int slot);

/* Whether a swap was begun and neither finished nor taken back yet. */
bool cw_journal_is_unfinished(const struct cw_journal* journal);

/* Whether the slot has a process that is steered: it was entered, and the kernel never refused it its home.
 */
bool cw_journal_is_steered(const struct cw_journal* journal, int slot);

#endif
