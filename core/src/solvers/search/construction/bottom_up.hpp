/// Bottom-up grouping: ranks that exchange most share a lowest group of the tree, groups that exchange most
/// share a group of the next level, and so on up to the highest level.
#pragma once

#include <cstdint>
#include <vector>

#include "corewise/random.hpp"
#include "solvers/problem/graph.hpp"
#include "solvers/problem/mapping.hpp"
#include "solvers/problem/work_meter.hpp"

namespace corewise::search {

/// Divides the vertices into groups of exactly `size`: grows one group after the other, each next to those
/// before it, then swaps members of two groups while that saves weight between groups.
/// @param size  divides the number of vertices.
/// @return [vertex] -> group, numbered from 0.
[[nodiscard]] std::vector<std::int32_t> group_vertices(const Graph& graph, std::int32_t size, Random& random,
                                                       WorkMeter& work);

/// @pre tree.is_even()
/// Source: TreeMatch (Jeannot, Mercier, Tessier, IEEE TPDS 25, 2014), which chooses its groups from all
/// combinations of ranks.
[[nodiscard]] SlotOfVertex bottom_up(const Graph& graph, const SlotTree& tree, Random& random,
                                     WorkMeter& work);

}  // namespace corewise::search
