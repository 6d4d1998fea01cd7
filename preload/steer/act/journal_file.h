/* Memory layout of the journal; used only in act/. */
#ifndef COREWISE_STEER_JOURNAL_FILE_H
#define COREWISE_STEER_JOURNAL_FILE_H

#include <stdatomic.h>

#include "process.h"

enum {
  CW_JOURNAL_VERSION = 2,
  CW_JOURNAL_NUMBERS = 1 << 22 /* swap numbers wrap around at this value */
};

/* A thread with its own mask inside its rank's home, recorded before the rank's last swap. Places are
 * relative to a home, so they are valid in every home, and a late or torn read does no harm. */
struct cw_journal_thread {
  _Atomic int64_t thread;
  _Atomic uint64_t places;
};

/* A rank of the node. `pid` is stored last, because others may read the entry at any time. */
struct cw_journal_party {
  _Atomic int64_t pid; /* 0: none, or no longer steered */
  _Atomic int64_t start;
  _Atomic uint64_t mask[CW_MASK_WORDS]; /* the initial mask; never changed */
  _Atomic int32_t n_own;
  struct cw_journal_thread own[CW_MOST_OWN_MASKS];
};

enum cw_journal_phase {
  CW_JOURNAL_QUIET,
  CW_JOURNAL_MOVING,   /* slot_a and slot_b are being moved; their homes are unchanged */
  CW_JOURNAL_COMMITTED /* both were moved; their homes are being exchanged */
};

/* The current or last swap, packed into one word of 64 bits, from the highest bits on. */
struct cw_journal_swap {
  uint32_t number; /* 22 bits: below CW_JOURNAL_NUMBERS */
  uint32_t phase;  /* 2 bits */
  uint32_t slot_a; /* 10 bits, like the following */
  uint32_t slot_b;
  uint32_t home_a; /* before the swap: the slot whose initial mask is the home */
  uint32_t home_b;
};

struct cw_journal_file {
  _Atomic uint32_t version;
  /* Leases. 0: free; else the end in ms of CLOCK_MONOTONIC, << 12, plus the holder's slot + 1. */
  _Atomic uint64_t lease;  /* to carry out swaps */
  _Atomic uint64_t leader; /* to decide */
  _Atomic uint64_t swap;
  /* [slot] (number of the last swap that changed the home) << 10 | slot whose initial mask is the home */
  _Atomic uint32_t homes[CW_MOST_STEERED];
  struct cw_journal_party parties[CW_MOST_STEERED];
};

struct cw_journal {
  struct cw_journal_file* file;
  int slot;                                 /* of the caller */
  int64_t lease_ms;                         /* duration of the lease to carry out swaps */
  uint64_t leads;                           /* lease to decide that the caller holds; 0: none */
  struct cw_pu_mask homes[CW_MOST_STEERED]; /* copies of the initial masks, for the holder of the lease */
};

/* Does a slot have a mask? Its process may have left or ended. */
bool cw_journal_was_entered(const struct cw_journal* journal, int slot);

/* The initial mask of a slot. */
struct cw_pu_mask cw_journal_mask(const struct cw_journal* journal, int slot);

/* Replaces the recorded masks of a slot's threads. */
void cw_journal_write_own(struct cw_journal* journal, int slot, const struct cw_own_masks* own);

/* Masks for the threads of a slot with this home. The caller sets `homes` and `n_homes`. */
struct cw_belonging cw_journal_belonging(const struct cw_journal* journal, int slot,
                                         const struct cw_pu_mask* home);

uint64_t cw_journal_pack(const struct cw_journal_swap* swap);
struct cw_journal_swap cw_journal_unpack(uint64_t word);

#endif
