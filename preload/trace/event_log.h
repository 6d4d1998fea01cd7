/* The events of one thread, written as records into chunks of the profile. */
#ifndef COREWISE_TRACE_EVENT_LOG_H
#define COREWISE_TRACE_EVENT_LOG_H

#include <corewise_formats/profile.h>
#include <stdbool.h>
#include <stdint.h>

#include "event_shapes.h"

/* A request that an event completed. */
struct cw_event_end {
  uint64_t request;
  uint8_t flags;  /* cw_profile_completion_flag */
  int32_t source; /* with CW_COMPLETION_STATUS, as the rest */
  int32_t tag;
  uint64_t bytes;
};

struct cw_event_log {
  struct cw_profile_chunk* chunk; /* the one that is being filled; NULL: none yet */
  uint8_t* at;                    /* where its next record goes */
  uint8_t* end;
  uint64_t last_end;     /* of the newest event with times, in ticks >> shift */
  uint64_t last_request; /* that the chunk named last */
  uint64_t n_events;     /* written */
  bool is_over;          /* no room, or no more allowed: nothing is added any more */
  uint32_t shift;
  uint32_t thread;
  struct cw_shapes shapes; /* of the chunk */
};

/* One event; times are in ticks. */
struct cw_event_record {
  struct cw_shape shape;
  uint64_t begin;
  uint64_t end;
  uint64_t request;                /* with CW_EVENT_STARTS */
  const struct cw_event_end* ends; /* with CW_EVENT_COMPLETES */
  uint32_t n_ends;
};

/* A log in its own memory; NULL if there is none. `ticks_per_s` decides how fine its times are. */
struct cw_event_log* cw_event_log_new(uint32_t thread, double ticks_per_s);

/* How many bytes of chunks all logs of this process may take from now on. */
void cw_event_log_allow(uint64_t bytes);

/* Appends an event, and its parts (CW_EVENT_PART) after it. Where there is no room for them, they and all
 * that come later are left out and counted in the rank's record: what the log has is the begin of the
 * thread's events, without a gap. */
void cw_event_log_add(struct cw_event_log* log, const struct cw_event_record* records, uint32_t n);

#endif
