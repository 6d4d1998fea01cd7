/// RankGrid: recognises from the traffic alone that ranks form a grid, numbered row by row as by
/// MPI_Cart_create.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "solvers/problem/graph.hpp"

namespace corewise::patterns {

/// One axis of a grid; a rank's coordinate on it is rank / stride % side.
struct GridAxis {
  std::int32_t stride;
  std::int32_t side;
  bool ring = false;        ///< its two ends are neighbours
  std::uint64_t bytes = 0;  ///< between neighbours on this axis

  /// Whether ranks a < b are one step apart.
  [[nodiscard]] bool steps(std::int32_t a, std::int32_t b) const {
    return b - a == stride && a / stride % side + 1 < side;
  }
  /// Whether ranks a < b are the ends of a row of more than two ranks.
  [[nodiscard]] bool ends(std::int32_t a, std::int32_t b) const {
    return side > 2 && b - a == stride * (side - 1) && a / stride % side == 0;
  }
  [[nodiscard]] bool neighbours(std::int32_t a, std::int32_t b) const {
    return steps(a, b) || (ring && ends(a, b));
  }
};

/// Axes from the slowest to the fastest, which has stride 1. The last layer of the slowest axis may be
/// incomplete. A hypercube has sides of 2.
struct RankGrid {
  std::vector<GridAxis> axes;
  std::int32_t n_ranks = 0;  ///< up to the last rank that sends or receives
  std::uint64_t bytes_of_axes = 0;
  std::uint64_t bytes = 0;  ///< of all pairs
};

/// The grid whose neighbours exchange most bytes, with the fewest axes if several grids are equal. Empty if
/// the pairs have more than 64 different values of b - a, or if the axes carry less than half of the bytes.
[[nodiscard]] std::optional<RankGrid> find_grid(const Graph& graph);

}  // namespace corewise::patterns
