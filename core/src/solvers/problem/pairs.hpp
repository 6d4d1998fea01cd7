/// The pairs of a graph of ranks, each once.
#pragma once

#include <cstdint>

#include "corewise/traffic.hpp"

namespace corewise {

/// Calls use(a, b, pair) for all ranks a < b that exchange messages, in rank order; pair.peer is b.
template <typename Use>
void for_each_pair(const PairGraph& graph, Use use) {
  for (std::int32_t a = 0; a < graph.n_ranks(); ++a) {
    for (const PairTraffic& pair : graph.partners(Rank{a})) {
      if (raw(pair.peer) > a) use(a, raw(pair.peer), pair);
    }
  }
}

}  // namespace corewise
