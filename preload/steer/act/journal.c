/* See journal.h. */
#include "journal.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "journal_file.h"
#include "share/shared_file.h"

static struct cw_journal* refuse(const char* path, const char* what, char* message) {
  snprintf(message, CW_SHARED_MESSAGE_BYTES, "%.120s: %.80s", path, what);
  return NULL;
}

struct cw_journal* cw_journal_open(const char* path, int slot, int64_t lease_ms, char* message) {
  if (slot < 0 || slot >= CW_MOST_STEERED)
    return refuse(path, "more ranks than a journal has slots", message);
  struct cw_journal* journal = malloc(sizeof *journal);
  if (!journal) return refuse(path, "no memory", message);
  *journal = (struct cw_journal){.slot = slot, .lease_ms = lease_ms};
  journal->file = cw_shared_file_map(path, sizeof *journal->file, message);
  uint32_t version = 0;
  if (journal->file &&
      (atomic_compare_exchange_strong(&journal->file->version, &version, CW_JOURNAL_VERSION) ||
       version == CW_JOURNAL_VERSION)) {
    return journal;
  }
  if (journal->file) refuse(path, "a journal of another version", message);
  cw_journal_close(journal);
  return NULL;
}

void cw_journal_close(struct cw_journal* journal) {
  if (journal->file) munmap(journal->file, sizeof *journal->file);
  free(journal);
}

void cw_journal_enter(struct cw_journal* journal, int slot, const struct cw_process_id* process,
                      const struct cw_pu_mask* mask) {
  struct cw_journal_party* party = &journal->file->parties[slot];
  for (int i = 0; i < CW_MASK_WORDS; ++i) atomic_store(&party->mask[i], mask->word[i]);
  atomic_store(&party->start, process->start);
  atomic_store(&party->n_own, 0);
  atomic_store(&journal->file->homes[slot], (uint32_t)slot);
  atomic_store(&party->pid, process->pid);
}

void cw_journal_leave(struct cw_journal* journal, int slot) {
  atomic_store(&journal->file->parties[slot].pid, 0);
}

struct cw_process_id cw_journal_process(const struct cw_journal* journal, int slot) {
  struct cw_journal_party* party = &journal->file->parties[slot];
  const int64_t pid = atomic_load(&party->pid);
  return (struct cw_process_id){.pid = pid, .start = atomic_load(&party->start)};
}

bool cw_journal_is_steered(const struct cw_journal* journal, int slot) {
  return atomic_load(&journal->file->parties[slot].pid) > 0;
}

struct cw_pu_mask cw_journal_home(const struct cw_journal* journal, int slot) {
  return cw_journal_mask(journal, (int)(atomic_load(&journal->file->homes[slot]) % CW_MOST_STEERED));
}

bool cw_journal_is_unfinished(const struct cw_journal* journal) {
  return cw_journal_unpack(atomic_load(&journal->file->swap)).phase != CW_JOURNAL_QUIET;
}
