/// Mappings of grids whose ranks are numbered row by row, as by MPI_Cart_create. The traffic shows the shape
/// of the grid. Boxes of ranks make good groups, even if the group size divides no side of the grid.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "solvers/problem/graph.hpp"
#include "solvers/problem/mapping.hpp"
#include "solvers/problem/slot_tree.hpp"
#include "solvers/problem/work_meter.hpp"

namespace corewise::patterns {

/// Side lengths of a grid, or coordinates in it; the last axis runs fastest.
using Box = std::array<std::int32_t, 3>;

[[nodiscard]] constexpr std::int32_t volume(const Box& side) { return side[0] * side[1] * side[2]; }

/// The number of a rank in a box, from its coordinates. coordinates() is the inverse.
[[nodiscard]] constexpr std::int32_t rank_at(const Box& at, const Box& side) {
  return (at[0] * side[1] + at[1]) * side[2] + at[2];
}
[[nodiscard]] constexpr Box coordinates(std::int32_t rank, const Box& side) {
  return {rank / (side[1] * side[2]), rank / side[2] % side[1], rank % side[2]};
}

/// A grid of up to three dimensions.
struct GridShape {
  Box side{1, 1, 1};                     ///< [axis] 1 for axes that the grid doesn't have
  std::array<Cost, 3> traffic{0, 0, 0};  ///< [axis] of all pairs of neighbours along it
};

using AxisOrder = std::array<int, 3>;
inline constexpr std::array<AxisOrder, 6> kAxisOrders{
    {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}};

/// The grid or torus of two or three dimensions whose neighbours exchange at least 80 % of the traffic.
[[nodiscard]] std::optional<GridShape> detect_grid(const Graph& graph);

/// Order by recursive bisection: halves the grid by the plane that cuts least traffic, puts the first half
/// before the second, and repeats this in each half down to single ranks. The last slots stay free. Large
/// grids on machines with free slots have no better start: without it, placements by fast effort cost up to
/// 27 % more (16 x 16 x 16 ranks on 16:2:4:70).
[[nodiscard]] SlotOfVertex bisection_order(const SlotTree& tree, const GridShape& shape);

/// A mapping that only chooses the groups of `level`. The order inside a group is arbitrary.
struct GroupedMapping {
  int level;
  SlotOfVertex slot_of;
};

/// Boustrophedon orders (alternately forward and backward) along strips of the grid. A group is a run of
/// consecutive ranks along a strip: a box, or nearly one, for any group size.
/// @return for each level the `n_per_level` orders that leave the least hop-bytes between its groups.
[[nodiscard]] std::vector<GroupedMapping> boustrophedon_mappings(const Graph& graph, const SlotTree& tree,
                                                                 const GridShape& shape,
                                                                 std::size_t n_per_level, WorkMeter& work);

}  // namespace corewise::patterns
