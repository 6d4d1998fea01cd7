/* See mask.h. */
#include "mask.h"

#include <string.h>

bool cw_mask_same(const struct cw_pu_mask* a, const struct cw_pu_mask* b) {
  return memcmp(a, b, sizeof *a) == 0;
}

bool cw_mask_within(const struct cw_pu_mask* part, const struct cw_pu_mask* whole) {
  uint64_t found = 0;
  for (int i = 0; i < CW_MASK_WORDS; ++i) {
    if ((part->word[i] & ~whole->word[i]) != 0) return false;
    found |= part->word[i];
  }
  return found != 0;
}

static bool has(const struct cw_pu_mask* mask, int pu) { return mask->word[pu / 64] >> pu % 64 & 1; }

int cw_mask_first(const struct cw_pu_mask* mask) {
  for (int pu = 0; pu < CW_MASK_PUS; ++pu) {
    if (has(mask, pu)) return pu;
  }
  return -1;
}

uint64_t cw_mask_places(const struct cw_pu_mask* part, const struct cw_pu_mask* whole) {
  uint64_t places = 0;
  int place = 0;
  if (!cw_mask_within(part, whole)) return 0;
  for (int pu = 0; pu < CW_MASK_PUS; ++pu) {
    if (!has(whole, pu)) continue;
    if (has(part, pu)) {
      if (place >= 64) return 0;
      places |= UINT64_C(1) << place;
    }
    ++place;
  }
  return places;
}

struct cw_pu_mask cw_mask_at(uint64_t places, const struct cw_pu_mask* whole) {
  struct cw_pu_mask found = {{0}};
  int place = 0;
  bool any = false;
  for (int pu = 0; pu < CW_MASK_PUS && place < 64; ++pu) {
    if (!has(whole, pu)) continue;
    if (places >> place++ & 1) {
      found.word[pu / 64] |= UINT64_C(1) << pu % 64;
      any = true;
    }
  }
  return any ? found : *whole;
}
