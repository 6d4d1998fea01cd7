/* The bytes of the journal, and its lease: for the actuator alone. */
#ifndef COREWISE_STEER_JOURNAL_FILE_H
#define COREWISE_STEER_JOURNAL_FILE_H

#include <stdatomic.h>

#include "process.h"

enum {
  CW_JOURNAL_VERSION = 1,
  CW_JOURNAL_NUMBERS = 1 << 22 /* of swaps, which count round */
};

/* A rank of the node, written once, when it is entered. */
struct cw_journal_party {
  struct cw_process_id process; /* pid 0: none, or not steered any more */
  struct cw_pu_mask mask;       /* that it came with; never changed */
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
  _Atomic uint64_t lease;
  _Atomic uint64_t swap;
  _Atomic uint32_t
      homes[CW_MOST_STEERED]; /* number of the swap that last changed it << 10, slot of the mask */
  struct cw_journal_party parties[CW_MOST_STEERED];
};

struct cw_journal {
  struct cw_journal_file* file;
  int slot;         /* of the caller */
  int64_t lease_ms; /* how long a lease lasts; a swap takes less than one */
};

/* Takes the lease where it is free, ran out, or its holder has ended. 0: somebody else has it; else the word
 * that shows it is ours. */
uint64_t cw_journal_take(struct cw_journal* journal);

/* Whether the lease is still the one that was taken. */
bool cw_journal_holds(const struct cw_journal* journal, uint64_t lease);

void cw_journal_release(struct cw_journal* journal, uint64_t lease);

/* The word of a swap, and what it says. */
uint64_t cw_journal_pack(const struct cw_journal_swap* swap);
struct cw_journal_swap cw_journal_unpack(uint64_t word);

#endif
