/// The edge-isoperimetric bound of grids, tori and hypercubes: what any set of this many ranks can have
/// inside.
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
  bool ring;  ///< its ends are neighbours; not where the side is 2
  friend auto operator<=>(const GridSide&, const GridSide&) = default;
};

/// [s]: no set of s vertices of the grid has more weight inside, s = 0..most or fewer where the grid has
/// fewer.
///
/// Layer by layer: layers of s_1, s_2, ... vertices hold at most what their sizes allow in a grid of one axis
/// less, and neighbouring ones share at most min(s_i, s_{i+1}) pairs, together at most all vertices but those
/// of the largest layer; in a ring at most the smallest layer's more, because from the largest layer to the
/// smallest sizes count at the far end on both ways. That holds whichever axis comes last, so the least of
/// several orders counts. Tight for boxes and nearly so for all sizes; with sides of 2 it is the hypercube's
/// edge-isoperimetric inequality (Harper 1964; Hart 1976), also where weights differ by axis.
/// @param axes  weights times all vertices times axes must fit 62 bits.
[[nodiscard]] std::vector<Cost> most_inside_grid(std::vector<GridSide> axes, std::int64_t most);

/// Patterns of the grid's neighbours, with different caps on the weights of an axis; as of find_patterns().
[[nodiscard]] std::vector<Pattern> grid_patterns(const RankGrid& grid, const PairGraph& graph,
                                                 std::int64_t n_places, std::int64_t largest_group);

}  // namespace corewise::patterns
