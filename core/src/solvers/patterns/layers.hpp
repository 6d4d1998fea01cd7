/// Common part of the dynamic programmes of grid_bound.cpp and stencil_bound.cpp. Both add one axis after the
/// other, and try several orders of the axes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "solvers/problem/cost.hpp"

namespace corewise::patterns {

/// The table of bounds for the axes so far. A subclass adds an axis with stack().
class Layers {
 public:
  explicit Layers(std::int64_t most) : most_(most) {}

  [[nodiscard]] const std::vector<Cost>& most_inside() const { return most_inside_; }
  [[nodiscard]] std::int64_t steps() const { return steps_; }

 protected:
  std::int64_t most_;  ///< the table ends at this number of vertices
  std::int64_t steps_ = 0;
  std::vector<Cost> most_inside_{0, 0};  ///< [s] for the axes so far; at first for a single vertex
};

/// Enough for all orders of four axes.
inline constexpr int most_orders = 24;
/// About 50 ms.
inline constexpr std::int64_t most_steps_of_orders = 50'000'000;

/// [s] the least bound of several orders of the axes. Every order gives valid bounds.
template <typename LayersOf, typename Side>
std::vector<Cost> least_over_orders(std::vector<Side> axes, std::int64_t most) {
  std::ranges::sort(axes, std::greater{});  // heavy pairs fill layers first: usually the best order
  std::vector<Cost> least;
  std::int64_t steps = 0;
  int n_orders = 0;
  do {
    LayersOf layers(most);
    for (const Side& axis : axes) layers.stack(axis);
    const std::vector<Cost>& inside = layers.most_inside();
    if (least.empty()) least = inside;
    std::ranges::transform(least, inside, least.begin(), [](Cost a, Cost b) { return std::min(a, b); });
    steps += layers.steps();
    if (++n_orders == most_orders || steps + layers.steps() > most_steps_of_orders) break;
  } while (std::ranges::prev_permutation(axes).found);
  return least;
}

}  // namespace corewise::patterns
