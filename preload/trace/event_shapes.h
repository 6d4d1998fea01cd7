/* Shapes: the fields that many events of a chunk have in common. A chunk holds each shape once, and events
 * refer to it by its index (FORMATS.md, "Events"). */
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
  uint32_t n_alike; /* in the first shape of a kind: number of later shapes of that kind */
};

/* The shapes of the chunk that is being filled. Zero-initialised: empty. */
struct cw_shapes {
  uint32_t n;
  uint32_t n_slots; /* of each table; a power of two, or 0 */
  struct cw_known_shape* shapes;
  uint32_t* slots; /* hash table by all fields, open addressing; 1 + index, 0: empty */
  uint32_t* kinds; /* hash table by call, flags, peer and comm; 1 + index of the first shape of the kind */
};

/* How an event refers to its shape. */
struct cw_shape_use {
  uint32_t index;
  bool is_new;
  bool own_bytes; /* the event's size differs from the shape's, so its record repeats it */
  bool own_tag;   /* the same for its tag */
};

void cw_shapes_clear(struct cw_shapes* shapes);

/* Finds the shape for an event, or adds it. The number of shapes of one kind is limited: after that, an event
 * with a new size or tag uses the kind's first shape and own_bytes or own_tag. False: out of memory. */
bool cw_shapes_find(struct cw_shapes* shapes, const struct cw_shape* wanted, struct cw_shape_use* use);

#endif
