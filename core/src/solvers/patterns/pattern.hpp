/// Pattern: traffic of a form that limits how much of it can be inside a set of ranks (an edge-isoperimetric
/// inequality). Grids, tori, hypercubes and stencils are such forms.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "corewise/traffic.hpp"
#include "solvers/problem/cost.hpp"

namespace corewise::patterns {

/// The part of a graph's weight that a pattern bounds.
struct Pattern {
  /// The weight of a pair of ranks a < b that the pattern counts: at most its bytes.
  std::function<Cost(std::int32_t a, std::int32_t b, std::uint64_t bytes)> counted;
  std::vector<Cost> most_inside;  ///< [s] no set of s ranks has more counted weight inside
};

/// Grids and a stencil, if the graph has this form. If weights differ along an axis of the grid, as at
/// boundaries of uneven domains, there are several patterns that limit the weights differently. Empty if
/// ranks form no grid or if sums could exceed 62 bits.
/// @param n_places       number of places of the machine
/// @param largest_group  the tables end there or earlier; the number of steps is about its square
[[nodiscard]] std::vector<Pattern> find_patterns(const PairGraph& graph, std::int64_t n_places,
                                                 std::int64_t largest_group);

/// Upper bound on the weight inside all groups together, if n ranks are divided into groups of at most these
/// sizes.
/// @param most_inside  [s], at least up to the greatest size
/// @param sizes        descending, at least one
[[nodiscard]] Cost most_inside_groups(std::span<const Cost> most_inside, std::span<const std::int64_t> sizes,
                                      std::int64_t n);

}  // namespace corewise::patterns
