/// GridPattern: how much a grid's, a torus's or a hypercube's ranks can keep inside groups.
#pragma once

#include <cstdint>
#include <vector>

#include "solvers/proof/isoperimetry.hpp"
#include "solvers/rank_grid.hpp"

namespace corewise::proof {

/// A grid that a graph's ranks form, with a cap on the weight of each axis: pairs count up to it, pairs
/// beside the axes not at all.
struct GridPattern {
  RankGrid grid;
  std::vector<GridSide> sides;  ///< [axis]; their weights are the caps
  std::vector<Cost> inside;     ///< most_inside() of the sides

  /// What counts of a pair of ranks a < b.
  [[nodiscard]] Cost counted(std::int32_t a, std::int32_t b, std::uint64_t bytes) const;
};

/// The graph's grid with several caps where weights differ along its axes, as boundaries of uneven domains
/// make them; none where it has no grid or sums wouldn't fit 62 bits.
/// @param n_places       of the machine
/// @param largest_group  the tables' end; they take about its square of steps
[[nodiscard]] std::vector<GridPattern> grid_patterns(const PairGraph& graph, std::int64_t n_places,
                                                     std::int64_t largest_group);

}  // namespace corewise::proof
