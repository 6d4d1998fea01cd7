/* Variable-length integers of windows and events: unsigned LEB128 and zigzag (FORMATS.md, "Varint"). */
#ifndef COREWISE_TRACE_VARINT_H
#define COREWISE_TRACE_VARINT_H

#include <stdint.h>

enum { CW_VARINT_MOST_BYTES = 10 };

static inline uint64_t cw_zigzag(int64_t value) { return ((uint64_t)value << 1) ^ (uint64_t)(value >> 63); }

/* Returns the position after the number. */
static inline uint8_t* cw_varint_put(uint8_t* at, uint64_t value) {
  for (; value >= 128; value >>= 7) *at++ = (uint8_t)(value | 128);
  *at++ = (uint8_t)value;
  return at;
}

/* Number of bytes that cw_varint_put() writes. */
static inline uint64_t cw_varint_length(uint64_t value) {
  return (70 - (uint64_t)__builtin_clzll(value | 1)) / 7;
}

/* Reads a number that ends before `end`; returns the position after it. */
static inline const uint8_t* cw_varint_get(const uint8_t* at, const uint8_t* end, uint64_t* value) {
  *value = 0;
  for (unsigned shift = 0; at < end && shift < 64; shift += 7) {
    *value |= (uint64_t)(*at & 127) << shift;
    if (*at++ < 128) break;
  }
  return at;
}

#endif
