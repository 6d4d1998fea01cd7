/// Box tiling: a grid cut by planes into boxes of exactly the size of a group, and each box cut again for the
/// groups below.
#pragma once

#include <optional>

#include "solvers/patterns/grid_mappings.hpp"
#include "solvers/problem/work_meter.hpp"

namespace corewise::patterns {

/// The mapping by the cheapest tiling that planes can cut, in boxes of several shapes: a side of 11 is cut
/// into 2 + 2 + 2 + 2 + 3 where groups of 12 need that. A small box may also be divided rank by rank in row
/// order, so that the border between two of its groups has steps. Traffic between others than the six
/// neighbours does not count.
/// @return empty where groups of a level differ in size, the grid has fewer ranks than the tree has slots,
/// its sides
///         add up to more than 4096, or there are too many boxes to try.
[[nodiscard]] std::optional<SlotOfVertex> box_tiling(const SlotTree& tree, const GridShape& shape,
                                                     WorkMeter& work);

}  // namespace corewise::patterns
