/// Bottom-up grouping: ranks that talk most fill the lowest groups, those groups the next ones, up to the
/// top.
#pragma once

#include <cstdint>
#include <vector>

#include "corewise/random.hpp"
#include "solvers/problem/graph.hpp"
#include "solvers/problem/slot_tree.hpp"
#include "solvers/problem/work_meter.hpp"

namespace corewise::search {

/// Exactly `size` vertices in each group: groups grow one after the other, each beside those before it, and
/// swap members until no swap of two helps.
/// @param size  divides the number of vertices.
/// @return [vertex] -> group, numbered from 0.
[[nodiscard]] std::vector<std::int32_t> group_vertices(const Graph& graph, std::int32_t size, Random& random,
                                                       WorkMeter& work);

/// Groups of every level have exactly their size, level by level by group_vertices().
/// @param tree  one whose groups of each level are equal in size.
/// @return [vertex] -> slot.
/// Source: TreeMatch (Jeannot, Mercier, Tessier, IEEE TPDS 25, 2014), whose groups come from all
/// combinations.
[[nodiscard]] std::vector<std::int32_t> bottom_up(const Graph& graph, const SlotTree& tree, Random& random,
                                                  WorkMeter& work);

}  // namespace corewise::search
