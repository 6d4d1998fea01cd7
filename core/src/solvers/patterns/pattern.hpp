/// Patterns: how much a grid's, a torus's, a hypercube's or a stencil's ranks can keep inside groups.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "solvers/patterns/rank_grid.hpp"
#include "solvers/problem/hop_instance.hpp"

namespace corewise::patterns {

/// A part of a graph's weight of which the densest groups are known.
struct Pattern {
  /// What counts of a pair of ranks a < b: no more than its bytes.
  std::function<Cost(std::int32_t a, std::int32_t b, std::uint64_t bytes)> counted;
  std::vector<Cost> inside;  ///< [s]: no s ranks have more of what counts inside
};

/// Those that the graph has: a grid's, with several caps on what counts where weights differ along its axes,
/// as boundaries of uneven domains make them, and a stencil's. None where ranks form no grid or sums wouldn't
/// fit 62 bits.
/// @param n_places       of the machine
/// @param largest_group  tables end there or before; they take about its square of steps
[[nodiscard]] std::vector<Pattern> find_patterns(const PairGraph& graph, std::int64_t n_places,
                                                 std::int64_t largest_group);

}  // namespace corewise::patterns
