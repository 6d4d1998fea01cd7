// Made ranks for tests of targets, in C: C++ can't read the headers of what ranks share.
#pragma once

#include "decide.h"

struct made_ranks;

// Ranks 0, 1, 2 on cores 0, 1, 2; rank 0 sent 500 bytes to rank 2. Freed by free().
struct made_ranks* made_ranks_new(const struct cw_steering* steering);

// cw_targets_exchange() with them.
void made_ranks_exchange(struct made_ranks* ranks, const char* prefix, int64_t now_ns,
                         struct cw_snapshot* snapshot);
