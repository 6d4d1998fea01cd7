/* The sorted list of a metric's proposals. */
#include <string.h>

#include "metric.h"

static int before(const struct cw_proposal* a, const struct cw_proposal* b) {
  if (a->weight != b->weight) return a->weight > b->weight;
  if (a->rank_a != b->rank_a) return a->rank_a < b->rank_a;
  return a->rank_b < b->rank_b;
}

void cw_proposals_add(struct cw_proposals* proposals, const struct cw_proposal* proposal) {
  int32_t place = proposals->n;
  while (place > 0 && before(proposal, &proposals->at[place - 1])) --place;
  if (place == CW_MOST_PROPOSALS) return;
  if (proposals->n < CW_MOST_PROPOSALS) ++proposals->n;
  memmove(&proposals->at[place + 1], &proposals->at[place],
          sizeof *proposals->at * (size_t)(proposals->n - 1 - place));
  proposals->at[place] = *proposal;
}

int64_t cw_per_thousand(int64_t a, int64_t b) {
  if (b <= 0) return a > 0 ? 1000000 : 0;
  const double ratio = 1000.0 * (double)a / (double)b;
  return ratio >= 1000000.0 ? 1000000 : (int64_t)ratio;
}
