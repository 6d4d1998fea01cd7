/* Sets of hardware threads, and subsets given by their order. */
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

/* Is `part` a subset of `whole`, and not empty? */
bool cw_mask_within(const struct cw_pu_mask* part, const struct cw_pu_mask* whole);

/* Lowest PU of a mask; -1: the mask is empty. */
int cw_mask_first(const struct cw_pu_mask* mask);

/* Which PUs of `whole` are in `part`: bit k is for the k-th PU of `whole` by os_index. 0: `part` is not a
 * non-empty subset of `whole`, or contains a PU beyond the 64th. */
uint64_t cw_mask_places(const struct cw_pu_mask* part, const struct cw_pu_mask* whole);

/* The PUs of `whole` at these places; `whole` if it has no PU at any of them. */
struct cw_pu_mask cw_mask_at(uint64_t places, const struct cw_pu_mask* whole);

#endif
