/// Box tiling: a grid cut by planes into boxes of exactly a group's size, and each box again for the groups
/// below.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "solvers/patterns/grid_mappings.hpp"
#include "solvers/problem/slot_tree.hpp"
#include "solvers/problem/work_meter.hpp"

namespace corewise::patterns {

/// The cheapest tiling that planes can cut, in boxes of several shapes: a side of 11 is cut into 2 + 2 + 2 +
/// 2
/// + 3 where groups of 12 need it. Small boxes may also be filled rank by rank, so that groups meet in
/// stepped planes. Traffic with other than the six neighbours is not looked at.
/// @return [vertex] -> slot; empty where groups of a level differ in size, the grid has fewer ranks than the
/// tree has slots, its sides add up to more than 4096, or there are too many boxes to try.
[[nodiscard]] std::optional<std::vector<std::int32_t>> box_tiling(const SlotTree& tree,
                                                                  const GridShape& shape, WorkMeter& work);

}  // namespace corewise::patterns
