// Synthetic ranks for tests of targets, in C, because C++ can't read headers with C's atomic types.
#pragma once

#include "decide.h"

struct made_ranks;

// Ranks 0, 1, 2 on cores 0, 1, 2; rank 0 sent 500 bytes to rank 2. Free them with free().
struct made_ranks* made_ranks_new(const struct cw_steering* steering);

// Calls cw_targets_exchange() for these ranks.
void made_ranks_exchange(struct made_ranks* ranks, const char* prefix, int64_t now_ns,
                         struct cw_snapshot* snapshot);
