/// Grid starts: where ranks are numbered along the rows of a grid, as MPI_Cart_create numbers them, their
/// traffic tells the grid's shape, and tiles of it make good groups, also for group sizes that divide no side
/// of the grid.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "solvers/problem/graph.hpp"
#include "solvers/problem/slot_tree.hpp"
#include "solvers/problem/work_meter.hpp"

namespace corewise::patterns {

/// Up to three dimensions, the last one running fastest; unused ones have side 1. Traffic along each axis in
/// all.
struct GridShape {
  std::array<std::int32_t, 3> side{1, 1, 1};
  std::array<Cost, 3> traffic{0, 0, 0};
};

/// The grid or torus whose neighbours make up nearly all of the traffic; empty where there is none of two or
/// three dimensions.
[[nodiscard]] std::optional<GridShape> detect_grid(const Graph& graph);

/// A space-filling curve: the grid is halved where that cuts least traffic, and the halves follow each other,
/// down to single ranks; where cores are left free, they are the last ones.
/// @return [vertex] -> slot.
[[nodiscard]] std::vector<std::int32_t> bisection_curve(const SlotTree& tree, const GridShape& shape);

/// A start whose groups of one level are good; which slots ranks have inside a group is still open.
struct GroupedMapping {
  int level;
  std::vector<std::int32_t> slot_of;  ///< [vertex] -> slot
};

/// Boustrophedon ("snake") orders through strips of the grid, cut into runs of a group's size: groups are
/// boxes or nearly so whatever their size. The `most` cheapest of each level.
[[nodiscard]] std::vector<GroupedMapping> boustrophedon_mappings(const Graph& graph, const SlotTree& tree,
                                                                 const GridShape& shape, std::size_t most,
                                                                 WorkMeter& work);

}  // namespace corewise::patterns
