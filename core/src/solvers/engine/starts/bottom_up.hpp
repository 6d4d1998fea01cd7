/// Bottom-up grouping: ranks that talk most fill the lowest groups, those groups the next ones, up to the
/// top.
#pragma once

#include <cstdint>
#include <vector>

#include "corewise/random.hpp"
#include "solvers/engine/graph.hpp"
#include "solvers/engine/slot_tree.hpp"
#include "solvers/engine/work.hpp"

namespace corewise::engine {

/// Groups of every level have exactly their size; on each level they grow one after the other, each beside
/// those before it, and swap members until no swap of two helps.
/// @param tree  one whose groups of each level are equal in size.
/// @return [vertex] -> slot.
/// Source: TreeMatch (Jeannot, Mercier, Tessier, IEEE TPDS 25, 2014), whose groups come from all
/// combinations.
[[nodiscard]] std::vector<std::int32_t> bottom_up(const Graph& graph, const SlotTree& tree, Random& random,
                                                  WorkMeter& work);

}  // namespace corewise::engine
