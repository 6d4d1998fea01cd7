/* Shapes of events: what many events of one chunk have in common is written once and then named by a small
 * number (FORMATS.md, "Events"). */
#ifndef COREWISE_TRACE_EVENT_SHAPES_H
#define COREWISE_TRACE_EVENT_SHAPES_H

#include <stdbool.h>
#include <stdint.h>

struct cw_shape {
  uint16_t call;
  uint8_t flags; /* cw_profile_event_flag */
  int32_t peer;
  int32_t tag;
  uint64_t comm;
  uint64_t bytes;
};

struct cw_known_shape {
  struct cw_shape shape;
  uint32_t n_alike; /* of the first one of its kind: how many more there are, of other tags and sizes */
};

/* Those of the chunk that is being filled. Zeroed: none yet. */
struct cw_shapes {
  uint32_t n;
  uint32_t n_slots; /* of each table; a power of two, or 0 */
  struct cw_known_shape* shapes;
  uint32_t* slots; /* 1 + index; 0: empty; open addressing, by all fields */
  uint32_t* kinds; /* likewise, by call, flags, peer and communicator: the first one of its kind */
};

/* How an event names its shape. */
struct cw_shape_use {
  uint32_t index;
  bool is_new;
  bool own_bytes; /* those of the shape are others */
  bool own_tag;
};

void cw_shapes_clear(struct cw_shapes* shapes);

/* The shape to use for an event, added where it is new. Of a kind that comes with ever new tags or sizes, a
 * few are separate shapes and the rest have these numbers in the event. False: out of memory. */
bool cw_shapes_find(struct cw_shapes* shapes, const struct cw_shape* wanted, struct cw_shape_use* use);

#endif
