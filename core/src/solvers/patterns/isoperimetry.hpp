/// Isoperimetry of grids: how much weight any set of so many vertices can have inside.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solvers/problem/hop_instance.hpp"

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
/// smallest sizes count at the far end on both ways. Whichever axis comes last, that holds, so the least of
/// several orders counts. Tight for boxes and nearly so for all sizes; with sides of 2 it is the hypercube's
/// edge-isoperimetric theorem (Harper 1964; Hart 1976), also where weights differ by axis.
/// @param axes  weights times all vertices times axes must fit 62 bits.
[[nodiscard]] std::vector<Cost> most_inside(std::vector<GridSide> axes, std::int64_t most);

/// One axis of a stencil on a grid: the local boxes' length along it, from 2 to longest_of_stencil.
struct StencilSide {
  Cost length;
  std::int32_t side;
  friend auto operator<=>(const StencilSide&, const StencilSide&) = default;
};
inline constexpr Cost longest_of_stencil = 1 << 11;

/// The same where diagonal neighbours exchange, too: boxes that differ on some axes exchange the product of
/// their lengths on the others, as one layer of cells around each box makes it.
///
/// Such a kernel is a product of (1, length, 1) over the axes, so positive semidefinite: what sets A and B in
/// neighbouring layers exchange, <A, KB>, is at most sqrt(<A, KA> <B, KB>) by Cauchy and Schwarz, and of
/// <A, KA> their sizes tell the most; nor is it more than what the smaller set's boxes can exchange at all.
/// @param axes  two or three
/// @param most  times the product of all lengths + 2 must fit 62 bits; takes its cube of steps
[[nodiscard]] std::vector<Cost> most_inside_stencil(std::vector<StencilSide> axes, std::int64_t most);

/// No n ranks in groups of at most these sizes have more weight inside the groups together.
/// @param inside  [s], up to the greatest size at least
/// @param sizes   descending, at least one
[[nodiscard]] Cost most_inside_groups(std::span<const Cost> inside, std::span<const std::int64_t> sizes,
                                      std::int64_t n);

}  // namespace corewise::patterns
