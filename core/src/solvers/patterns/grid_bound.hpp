/// The edge-isoperimetric bound of grids, tori and hypercubes: a limit on the traffic inside any n ranks.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "solvers/patterns/grid.hpp"
#include "solvers/patterns/pattern.hpp"

namespace corewise::patterns {

/// One axis of a grid.
struct GridSide {
  Cost weight;  ///< of a pair of neighbours
  std::int32_t side;
  bool ring;  ///< its ends are neighbours; without effect if the side is 2
  friend auto operator<=>(const GridSide&, const GridSide&) = default;
};

/// [s] no set of s vertices of the grid has more weight inside; s from 0 to `most` or to the grid's size.
///
/// The last axis divides a set into layers of s_1, s_2, ... vertices. The weight inside a layer is bounded by
/// the same function for the other axes. Two neighbouring layers have at most min(s_i, s_{i+1}) pairs between
/// them. All these minima add up to at most the number of vertices outside the largest layer. In a ring, the
/// smallest layer may count once more: two paths lead to it from the largest layer, and each includes its
/// size. This is true whichever axis comes last, so the function takes the least over several orders of axes.
///
/// The bound is tight for boxes and nearly tight for other sets. With sides of 2, it is the
/// edge-isoperimetric inequality of the hypercube (Harper 1964; Hart 1976), also if weights differ by axis.
/// @param axes  weights times number of vertices times number of axes must fit 62 bits.
[[nodiscard]] std::vector<Cost> most_inside_grid(std::vector<GridSide> axes, std::int64_t most);

/// The part of find_patterns() for grids: each pattern limits the weights of an axis differently.
[[nodiscard]] std::vector<Pattern> grid_patterns(const RankGrid& grid, const PairGraph& graph,
                                                 std::int64_t n_places, std::int64_t largest_group);

}  // namespace corewise::patterns
