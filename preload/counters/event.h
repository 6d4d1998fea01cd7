/* What a call adds to the profile. */
#ifndef COREWISE_COUNTERS_EVENT_H
#define COREWISE_COUNTERS_EVENT_H

#include <stdint.h>

/* One call, or one transfer of it. `flags` are those of a
 * profile's row (enum cw_profile_row_flag). */
struct cw_event {
  uint16_t call; /* index into cw_calls */
  uint8_t flags;
  int32_t peer;   /* world rank; for collectives the root (rank in the group) or -1; else -1 */
  uint64_t group; /* what rows name the communicator by: its id, or that of its members; 0: none */
  uint64_t bytes;
  uint64_t begin; /* equal to `end` for a transfer */
  uint64_t end;
};

#endif
