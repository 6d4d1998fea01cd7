/// The edge-isoperimetric bound of halo exchanges with all neighbours: 8 in two dimensions, 26 in three.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

#include "solvers/patterns/grid.hpp"
#include "solvers/patterns/pattern.hpp"

namespace corewise::patterns {

/// One axis of a stencil on a grid.
struct StencilSide {
  Cost length;        ///< of each rank's box of cells, from 2 to longest_of_stencil
  std::int32_t side;  ///< number of ranks
  friend auto operator<=>(const StencilSide&, const StencilSide&) = default;
};
inline constexpr Cost longest_of_stencil = 1 << 11;

/// Like most_inside_grid(), for ranks that exchange one layer of cells around their boxes. Neighbours that
/// differ on some axes exchange the product of the box's lengths on the other axes.
///
/// This kernel K is a product of (1, length, 1) over the axes, so it is positive semidefinite. The weight
/// between sets A and B in neighbouring layers, <A, KB>, is therefore at most sqrt(<A, KA> <B, KB>)
/// (Cauchy-Schwarz), where the sizes of A and B bound <A, KA> and <B, KB>. It is also at most the weight
/// between the smaller set and a whole layer.
/// @param axes  two or three
/// @param most  times the product of all (length + 2) must fit 62 bits; takes its cube of steps
[[nodiscard]] std::vector<Cost> most_inside_stencil(std::vector<StencilSide> axes, std::int64_t most);

/// The part of find_patterns() for stencils. Empty if the grid doesn't have two or three axes, if diagonals
/// exchange nothing, or if they exchange too much for a product of lengths.
[[nodiscard]] std::optional<Pattern> stencil_pattern(const RankGrid& grid, const PairGraph& graph,
                                                     std::int64_t n_places, std::int64_t largest_group);

}  // namespace corewise::patterns
