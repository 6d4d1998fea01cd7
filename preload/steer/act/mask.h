/* Sets of hardware threads, and parts of them by their order. */
#ifndef COREWISE_STEER_MASK_H
#define COREWISE_STEER_MASK_H

#include <stdbool.h>
#include <stdint.h>

enum { CW_MASK_WORDS = 16, CW_MASK_PUS = 64 * CW_MASK_WORDS };

/* PUs by os_index; PUs from CW_MASK_PUS on are not steered. */
struct cw_pu_mask {
  uint64_t word[CW_MASK_WORDS];
};

bool cw_mask_same(const struct cw_pu_mask* a, const struct cw_pu_mask* b);

/* Whether every PU of `part` is one of `whole`, and there is one. */
bool cw_mask_within(const struct cw_pu_mask* part, const struct cw_pu_mask* whole);

/* The least PU of a mask; -1 where it is empty. */
int cw_mask_first(const struct cw_pu_mask* mask);

/* Which PUs of `whole` are in `part`: bit k for its k-th PU, the least os_index first. 0 where `part` is not
 * within `whole`, or has a PU beyond the 64th. */
uint64_t cw_mask_places(const struct cw_pu_mask* part, const struct cw_pu_mask* whole);

/* The PUs of `whole` at these places; all of it where it has none of them. */
struct cw_pu_mask cw_mask_at(uint64_t places, const struct cw_pu_mask* whole);

#endif
