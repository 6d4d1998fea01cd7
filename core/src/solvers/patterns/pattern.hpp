/// Pattern: traffic of which it is known how much any set of ranks can have inside (an edge-isoperimetric
/// inequality), as of grids, tori, hypercubes and stencils.
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
  /// What counts of a pair of ranks a < b: no more than its bytes.
  std::function<Cost(std::int32_t a, std::int32_t b, std::uint64_t bytes)> counted;
  std::vector<Cost> most_inside;  ///< [s]: no set of s ranks has more of what counts inside
};

/// Those that the graph has: grids, with several caps on what counts where weights differ along an axis, as
/// boundaries of uneven domains make them, and a stencil. None where ranks form no grid or sums wouldn't fit
/// 62 bits.
/// @param n_places       of the machine
/// @param largest_group  tables end there or before; they take about its square of steps
[[nodiscard]] std::vector<Pattern> find_patterns(const PairGraph& graph, std::int64_t n_places,
                                                 std::int64_t largest_group);

/// No n ranks in groups of at most these sizes have more weight inside the groups together.
/// @param most_inside  [s], up to the greatest size at least
/// @param sizes        descending, at least one
[[nodiscard]] Cost most_inside_groups(std::span<const Cost> most_inside, std::span<const std::int64_t> sizes,
                                      std::int64_t n);

}  // namespace corewise::patterns
