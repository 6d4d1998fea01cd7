/* See lease.h. */
#define _GNU_SOURCE
#include "lease.h"

#include <time.h>

#include "journal.h"
#include "journal_file.h"

enum { SLOT_BITS = 12 };

static uint64_t now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static bool may_be_taken(const struct cw_journal* journal, uint64_t lease) {
  if (lease == 0 || now_ms() > lease >> SLOT_BITS) return true;
  const uint64_t slot = (lease & ((1u << SLOT_BITS) - 1)) - 1;
  if (slot >= CW_MOST_STEERED) return true;
  const struct cw_process_id holder = cw_journal_process(journal, (int)slot);
  return !cw_process_lives(&holder);
}

/* Replaces the value `seen` of the word by a lease of the caller; 0: another rank was faster. */
static uint64_t take(const struct cw_journal* journal, _Atomic uint64_t* word, uint64_t seen,
                     int64_t length_ms) {
  const uint64_t end_ms = now_ms() + (uint64_t)length_ms;
  const uint64_t mine = end_ms << SLOT_BITS | (uint64_t)(journal->slot + 1);
  return mine != seen && atomic_compare_exchange_strong(word, &seen, mine) ? mine : 0;
}

uint64_t cw_lease_take(struct cw_journal* journal) {
  const uint64_t seen = atomic_load(&journal->file->lease);
  return may_be_taken(journal, seen) ? take(journal, &journal->file->lease, seen, journal->lease_ms) : 0;
}

bool cw_lease_holds(const struct cw_journal* journal, uint64_t lease) {
  return atomic_load(&journal->file->lease) == lease;
}

void cw_lease_release(struct cw_journal* journal, uint64_t lease) {
  atomic_compare_exchange_strong(&journal->file->lease, &lease, 0);
}

bool cw_lease_leads(struct cw_journal* journal, int64_t lease_ms) {
  const uint64_t seen = atomic_load(&journal->file->leader);
  const bool renews = journal->leads != 0 && seen == journal->leads;
  if (!renews && !may_be_taken(journal, seen)) {
    journal->leads = 0;
    return false;
  }
  const uint64_t mine = take(journal, &journal->file->leader, seen, lease_ms);
  if (mine != 0) {
    journal->leads = mine;
  } else if (!renews || atomic_load(&journal->file->leader) != seen) {
    journal->leads = 0;
  }
  return journal->leads != 0;
}

bool cw_lease_still_leads(const struct cw_journal* journal) {
  return journal->leads != 0 && atomic_load(&journal->file->leader) == journal->leads;
}

void cw_lease_resign(struct cw_journal* journal) {
  uint64_t seen = journal->leads;
  if (seen != 0) atomic_compare_exchange_strong(&journal->file->leader, &seen, 0);
  journal->leads = 0;
}
