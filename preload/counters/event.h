/* One entry for the profile: what a call, or a message of the call, adds to a row. */
#ifndef COREWISE_COUNTERS_EVENT_H
#define COREWISE_COUNTERS_EVENT_H

#include <stdint.h>

/* `flags` are bits of enum cw_profile_row_flag, as in a row of the profile. Times are in ticks (clock.h). */
struct cw_event {
  uint16_t call; /* index into cw_calls */
  uint8_t flags;
  int32_t peer;   /* world rank; for collectives the root's rank in its group; -1: none */
  uint64_t group; /* id of the communicator or of its members (comm_identity.h); 0: none */
  uint64_t bytes;
  uint64_t begin; /* equal to `end` for a message, for which no time is measured */
  uint64_t end;
};

#endif
