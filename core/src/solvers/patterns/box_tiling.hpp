/// Box tiling: planes divide a grid of ranks into boxes, one for each group of the tree and of the same size.
/// Each box is divided again for the groups of the level below.
#pragma once

#include <optional>

#include "solvers/patterns/grid_mappings.hpp"
#include "solvers/problem/work_meter.hpp"

namespace corewise::patterns {

/// The mapping by the tiling of least hop-bytes. Boxes may have several shapes: a side of 11 is divided into
/// 2 + 2 + 2 + 2 + 3 if groups of 12 need that. A small box may also be divided rank by rank in row order, so
/// that the border between two groups has steps. Only traffic between a rank and its six neighbours counts.
/// @return empty if groups of a level differ in size, if the grid has fewer ranks than the tree has slots, if
///         the sides add up to more than 4096, or if there are too many boxes to try.
[[nodiscard]] std::optional<SlotOfVertex> box_tiling(const SlotTree& tree, const GridShape& shape,
                                                     WorkMeter& work);

}  // namespace corewise::patterns
