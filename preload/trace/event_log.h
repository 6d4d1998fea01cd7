/* Writes the events of one thread as compact records into chunks of the profile (FORMATS.md, "Events"). */
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
  int32_t source; /* this field and the next two are valid with CW_COMPLETION_STATUS */
  int32_t tag;
  uint64_t bytes;
};

struct cw_event_log {
  struct cw_profile_chunk* chunk; /* being filled; NULL: none yet */
  uint8_t* at;                    /* the next record goes here */
  uint8_t* end;
  uint64_t last_end;     /* end of the last event with times, in ticks >> shift */
  uint64_t last_request; /* the last request number in this chunk: requests are stored as differences */
  uint64_t n_events;
  bool is_over; /* no space, or the limit is reached: further events are dropped */
  uint32_t shift;
  uint32_t thread;
  struct cw_shapes shapes; /* those of `chunk` */
};

/* One event; times are in ticks. */
struct cw_event_record {
  struct cw_shape shape;
  uint64_t begin;
  uint64_t end;
  uint64_t request;                /* valid with CW_EVENT_STARTS */
  const struct cw_event_end* ends; /* valid with CW_EVENT_COMPLETES */
  uint32_t n_ends;
};

/* An empty log; NULL: out of memory. The unit of its times depends on `ticks_per_s`. */
struct cw_event_log* cw_event_log_new(uint32_t thread, double ticks_per_s);

/* Sets how many more bytes the event chunks of this process may take. */
void cw_event_log_allow(uint64_t bytes);

/* Appends an event, followed by its parts (CW_EVENT_PART). Without room, these and all later events are
 * dropped and counted in the rank's record: a log has the first events of its thread, without gaps. */
void cw_event_log_add(struct cw_event_log* log, const struct cw_event_record* records, uint32_t n);

#endif
