/// What the dynamic programmes of grids and stencils share: axis after axis, in several orders of the axes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "solvers/problem/cost.hpp"

namespace corewise::patterns {

/// Tables of ever more axes.
class Layers {
 public:
  explicit Layers(std::int64_t most) : most_(most) {}

  [[nodiscard]] const std::vector<Cost>& most_inside() const { return most_inside_; }
  [[nodiscard]] std::int64_t steps() const { return steps_; }

 protected:
  std::int64_t most_;                    ///< vertices: tables end there
  std::int64_t steps_ = 0;               ///< of the dynamic programme so far
  std::vector<Cost> most_inside_{0, 0};  ///< [s], of the axes so far; at first a point's
};

/// All orders of four axes; of more axes there are too many.
inline constexpr int most_orders = 24;
/// About 50 ms.
inline constexpr std::int64_t most_steps_of_orders = 50'000'000;

/// Each order of the axes gives bounds. @return [s]: the least of several orders, while time permits
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
