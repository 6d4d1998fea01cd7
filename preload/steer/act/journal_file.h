/* The bytes of the journal: for the actuator alone. */
#ifndef COREWISE_STEER_JOURNAL_FILE_H
#define COREWISE_STEER_JOURNAL_FILE_H

#include <stdatomic.h>

#include "process.h"

enum {
  CW_JOURNAL_VERSION = 2,
  CW_JOURNAL_NUMBERS = 1 << 22 /* of swaps, which count round */
};

/* A thread that may run on a part of its rank's home alone, as it was found before the rank's last swap. The
 * places stay the same in every home, so one who reads them late, or mixed with a later swap's, is right too.
 */
struct cw_journal_thread {
  _Atomic int64_t thread;
  _Atomic uint64_t places;
};

/* A rank of the node. Others read it at any time: `pid` is stored last. */
struct cw_journal_party {
  _Atomic int64_t pid; /* 0: none, or not steered any more */
  _Atomic int64_t start;
  _Atomic uint64_t mask[CW_MASK_WORDS]; /* that it came with; never changed */
  _Atomic int32_t n_own;
  struct cw_journal_thread own[CW_MOST_OWN_MASKS];
};

enum cw_journal_phase {
  CW_JOURNAL_QUIET,
  CW_JOURNAL_MOVING,   /* slot_a and slot_b are being moved: their homes are still the old ones */
  CW_JOURNAL_COMMITTED /* both are moved: their homes are being exchanged */
};

/* The swap under way, or the last one: one word of 64 bits, from the highest on. */
struct cw_journal_swap {
  uint32_t number; /* 22 bits: below CW_JOURNAL_NUMBERS */
  uint32_t phase;  /* 2 */
  uint32_t slot_a; /* 10, and so are the rest */
  uint32_t slot_b;
  uint32_t home_a; /* before the swap: the slot whose mask it is */
  uint32_t home_b;
};

struct cw_journal_file {
  _Atomic uint32_t version;
  /* 0: free; else the time it ends at, ms of CLOCK_MONOTONIC, << 12, and the holder's slot + 1. */
  _Atomic uint64_t lease;  /* to act */
  _Atomic uint64_t leader; /* to decide */
  _Atomic uint64_t swap;
  _Atomic uint32_t
      homes[CW_MOST_STEERED]; /* number of the swap that last changed it << 10, slot of the mask */
  struct cw_journal_party parties[CW_MOST_STEERED];
};

struct cw_journal {
  struct cw_journal_file* file;
  int slot;                                 /* of the caller */
  int64_t lease_ms;                         /* how long the lease to act lasts; a swap takes less than one */
  uint64_t leads;                           /* lease to decide that the caller took; 0: none */
  struct cw_pu_mask homes[CW_MOST_STEERED]; /* copies of the entered masks, for who holds the lease to act */
};

/* Whether a slot has a mask: its process may have left or ended. */
bool cw_journal_was_entered(const struct cw_journal* journal, int slot);

/* The mask that a slot came with. */
struct cw_pu_mask cw_journal_mask(const struct cw_journal* journal, int slot);

/* Replaces what is known of the own masks of a slot's threads. */
void cw_journal_write_own(struct cw_journal* journal, int slot, const struct cw_own_masks* own);

/* Where the threads of a slot belong with this home; `homes` and `n_homes` are left to the caller. */
struct cw_belonging cw_journal_belonging(const struct cw_journal* journal, int slot,
                                         const struct cw_pu_mask* home);

/* The word of a swap, and what it says. */
uint64_t cw_journal_pack(const struct cw_journal_swap* swap);
struct cw_journal_swap cw_journal_unpack(uint64_t word);

#endif
