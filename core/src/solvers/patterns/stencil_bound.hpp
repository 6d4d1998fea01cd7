/// The edge-isoperimetric bound of halo exchanges with diagonal neighbours, 8 in two dimensions or 26 in
/// three.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

#include "solvers/patterns/grid.hpp"
#include "solvers/patterns/pattern.hpp"

namespace corewise::patterns {

/// One axis of a stencil on a grid: the local boxes' length along it, from 2 to longest_of_stencil.
struct StencilSide {
  Cost length;
  std::int32_t side;
  friend auto operator<=>(const StencilSide&, const StencilSide&) = default;
};
inline constexpr Cost longest_of_stencil = 1 << 11;

/// As most_inside_grid() where boxes that differ on some axes exchange the product of their lengths on the
/// others, as one layer of cells around each box makes it.
///
/// Such a kernel is a product of (1, length, 1) over the axes, so positive semidefinite: what sets A and B in
/// neighbouring layers exchange, <A, KB>, is at most sqrt(<A, KA> <B, KB>) by Cauchy and Schwarz, and of
/// <A, KA> their sizes tell the most; nor is it more than what the smaller set's boxes can exchange at all.
/// @param axes  two or three
/// @param most  times the product of all lengths + 2 must fit 62 bits; takes its cube of steps
[[nodiscard]] std::vector<Cost> most_inside_stencil(std::vector<StencilSide> axes, std::int64_t most);

/// As of find_patterns(). Absent where the grid has another number of axes, or where diagonals are missing or
/// too heavy for a product of lengths.
[[nodiscard]] std::optional<Pattern> stencil_pattern(const RankGrid& grid, const PairGraph& graph,
                                                     std::int64_t n_places, std::int64_t largest_group);

}  // namespace corewise::patterns
