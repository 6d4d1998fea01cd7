/* Two hash tables over the shapes of a chunk: by all fields, and by kind, that is without bytes and tag. */
#include "event_shapes.h"

#include <stdlib.h>
#include <string.h>

enum { kFirstSlots = 256, kMostAlike = 8 };

/* Fibonacci hashing (Knuth, TAOCP 3, 6.4). */
static inline uint64_t hash_of_kind(const struct cw_shape* shape) {
  const uint64_t head = (uint64_t)shape->call << 40 ^ (uint64_t)shape->flags << 32 ^ (uint32_t)shape->peer;
  return (head ^ shape->comm) * 0x9e3779b97f4a7c15u;
}

static inline uint64_t hash_of_all(const struct cw_shape* shape) {
  const uint64_t rest = shape->bytes ^ (uint64_t)(uint32_t)shape->tag << 32;
  return (hash_of_kind(shape) ^ rest) * 0x9e3779b97f4a7c15u;
}

static inline bool is_same_kind(const struct cw_shape* a, const struct cw_shape* b) {
  return a->call == b->call && a->flags == b->flags && a->peer == b->peer && a->comm == b->comm;
}

static inline bool is_same(const struct cw_shape* a, const struct cw_shape* b) {
  return is_same_kind(a, b) && a->bytes == b->bytes && a->tag == b->tag;
}

void cw_shapes_clear(struct cw_shapes* shapes) {
  shapes->n = 0;
  if (shapes->n_slots == 0) return;
  memset(shapes->slots, 0, shapes->n_slots * sizeof *shapes->slots);
  memset(shapes->kinds, 0, shapes->n_slots * sizeof *shapes->kinds);
}

/* The slot that holds the shape, or the empty slot for it. @pre n_slots > 0 */
static inline uint32_t* place_of(struct cw_shapes* shapes, const struct cw_shape* wanted) {
  const uint32_t mask = shapes->n_slots - 1;
  uint32_t at = (uint32_t)(hash_of_all(wanted) >> 32) & mask;
  while (shapes->slots[at] != 0 && !is_same(&shapes->shapes[shapes->slots[at] - 1].shape, wanted))
    at = (at + 1) & mask;
  return &shapes->slots[at];
}

static uint32_t* place_of_kind(struct cw_shapes* shapes, const struct cw_shape* wanted) {
  const uint32_t mask = shapes->n_slots - 1;
  uint32_t at = (uint32_t)(hash_of_kind(wanted) >> 32) & mask;
  while (shapes->kinds[at] != 0 && !is_same_kind(&shapes->shapes[shapes->kinds[at] - 1].shape, wanted))
    at = (at + 1) & mask;
  return &shapes->kinds[at];
}

/* Makes room for one more shape: the tables are at most half full. */
static bool grow(struct cw_shapes* shapes) {
  if (2 * shapes->n < shapes->n_slots) return true;
  const uint32_t n_slots = shapes->n_slots == 0 ? kFirstSlots : 2 * shapes->n_slots;
  struct cw_known_shape* known = realloc(shapes->shapes, n_slots / 2 * sizeof *known);
  if (known != NULL) shapes->shapes = known;
  uint32_t* slots = calloc(n_slots, sizeof *slots);
  uint32_t* kinds = calloc(n_slots, sizeof *kinds);
  if (known == NULL || slots == NULL || kinds == NULL) {
    free(slots);
    free(kinds);
    return false;
  }
  free(shapes->slots);
  free(shapes->kinds);
  shapes->slots = slots;
  shapes->kinds = kinds;
  shapes->n_slots = n_slots;
  for (uint32_t i = 0; i < shapes->n; ++i) {
    *place_of(shapes, &known[i].shape) = i + 1;
    uint32_t* kind = place_of_kind(shapes, &known[i].shape);
    if (*kind == 0) *kind = i + 1;
  }
  return true;
}

static void add(struct cw_shapes* shapes, const struct cw_shape* wanted) {
  const uint32_t index = shapes->n;
  shapes->shapes[index] = (struct cw_known_shape){.shape = *wanted};
  *place_of(shapes, wanted) = index + 1;
  uint32_t* kind = place_of_kind(shapes, wanted);
  if (*kind == 0) {
    *kind = index + 1;
  } else {
    ++shapes->shapes[*kind - 1].n_alike;
  }
  ++shapes->n;
}

static bool find_new(struct cw_shapes* shapes, const struct cw_shape* wanted, struct cw_shape_use* use) {
  if (!grow(shapes)) return false;
  const uint32_t kind = *place_of_kind(shapes, wanted);
  if (kind != 0 && shapes->shapes[kind - 1].n_alike == kMostAlike) {
    const struct cw_shape* first = &shapes->shapes[kind - 1].shape;
    *use = (struct cw_shape_use){
        .index = kind - 1, .own_bytes = wanted->bytes != first->bytes, .own_tag = wanted->tag != first->tag};
    return true;
  }
  *use = (struct cw_shape_use){.index = shapes->n, .is_new = true};
  add(shapes, wanted);
  return true;
}

bool cw_shapes_find(struct cw_shapes* shapes, const struct cw_shape* wanted, struct cw_shape_use* use) {
  if (shapes->n == 0) return find_new(shapes, wanted, use);
  const uint32_t found = *place_of(shapes, wanted);
  if (found == 0) return find_new(shapes, wanted, use);
  *use = (struct cw_shape_use){.index = found - 1};
  return true;
}
