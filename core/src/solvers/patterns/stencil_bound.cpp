/// most_inside_stencil(): a dynamic programme over sequences of layers; stencil_pattern(): lengths of the
/// local boxes from the weights of faces, edges and corners.
#include "solvers/patterns/stencil_bound.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "solvers/patterns/layers.hpp"
#include "solvers/problem/fixed_point.hpp"

namespace corewise::patterns {
namespace {

/// The tables take about its cube of steps, here about 10 ms.
constexpr std::int64_t most_ranks_of_group = 128;

class StencilLayers : public Layers {
 public:
  using Layers::Layers;

  void stack(const StencilSide& axis) {
    const std::int64_t layer = std::ssize(most_inside_) - 1;
    const std::int64_t all = std::min(most_, layer * axis.side);
    const std::vector<Cost> across = most_across(layer);
    constexpr Cost impossible = std::numeric_limits<Cost>::min() / 2;
    // [t * (layer + 1) + b] most inside t vertices, b of them in the last layer
    std::vector<Cost> ending((all + 1) * (layer + 1), impossible);
    std::vector<Cost> stacked(all + 1, 0);
    for (std::int64_t t = 1; t <= all; ++t) {
      for (std::int64_t b = 1; b <= std::min(layer, t); ++b) {
        Cost before = t == b ? 0 : impossible;
        for (std::int64_t a = 1; a <= std::min(layer, t - b); ++a) {
          before = std::max(before, ending[(t - b) * (layer + 1) + a] + across[a * (layer + 1) + b]);
        }
        ending[t * (layer + 1) + b] = before + axis.length * most_inside_[b];
        stacked[t] = std::max(stacked[t], before + axis.length * most_inside_[b]);
      }
      steps_ += layer * layer;
    }
    most_inside_ = std::move(stacked);
    itself_ *= axis.length;
    around_ *= axis.length + 2;
  }

 private:
  /// [a * (layer + 1) + b] most weight between a and b boxes of neighbouring layers.
  [[nodiscard]] std::vector<Cost> most_across(std::int64_t layer) const {
    std::vector<Cost> across((layer + 1) * (layer + 1), 0);
    for (std::int64_t a = 1; a <= layer; ++a) {
      for (std::int64_t b = 1; b <= layer; ++b) {
        const auto product = static_cast<__int128>(with_itself(a)) * with_itself(b);
        const Cost greatest = std::min(a, b) * around_;
        across[a * (layer + 1) + b] =
            product >= static_cast<__int128>(greatest) * greatest
                ? greatest
                : static_cast<Cost>(integer_root(static_cast<std::uint64_t>(product)));
      }
    }
    return across;
  }
  /// Upper bound on <A, KA> (see the header) for a set A of `a` boxes in a layer.
  [[nodiscard]] Cost with_itself(std::int64_t a) const { return a * itself_ + 2 * most_inside_[a]; }

  Cost itself_ = 1;  ///< weight between a box and the box at its own place in the next layer
  Cost around_ = 1;  ///< weight between a box and the whole next layer
};

/// The axes on which two ranks are one step apart, one bit each; 0 if they are further apart on some axis.
unsigned steps_between(const RankGrid& grid, std::int32_t a, std::int32_t b) {
  unsigned steps = 0;
  for (std::size_t i = 0; i < grid.axes.size(); ++i) {
    const GridAxis& axis = grid.axes[i];
    const std::int32_t apart = b / axis.stride % axis.side - a / axis.stride % axis.side;
    if (apart < -1 || apart > 1) return 0;
    if (apart != 0) steps |= 1u << i;
  }
  return steps;
}

/// [steps_between()] median weight of such pairs; 0 if there are none.
std::vector<Cost> typical_weights(const RankGrid& grid, const PairGraph& graph) {
  std::vector<std::vector<Cost>> weights(std::size_t{1} << grid.axes.size());
  for_each_pair(graph, [&](std::int32_t a, std::int32_t b, const PairTraffic& pair) {
    weights[steps_between(grid, a, b)].push_back(static_cast<Cost>(pair.bytes));
  });
  std::vector<Cost> typical(weights.size(), 0);
  for (std::size_t steps = 1; steps < weights.size(); ++steps) {
    if (weights[steps].empty()) continue;
    const auto middle = weights[steps].begin() + std::ssize(weights[steps]) / 2;
    std::ranges::nth_element(weights[steps], middle);
    typical[steps] = *middle;
  }
  return typical;
}

}  // namespace

std::vector<Cost> most_inside_stencil(std::vector<StencilSide> axes, std::int64_t most) {
  return least_over_orders<StencilLayers>(std::move(axes), most);
}

std::optional<Pattern> stencil_pattern(const RankGrid& grid, const PairGraph& graph, std::int64_t n_places,
                                       std::int64_t largest_group) {
  const std::size_t n_axes = grid.axes.size();
  if (n_axes < 2 || n_axes > 3) return std::nullopt;
  const std::vector<Cost> typical = typical_weights(grid, graph);
  const Cost corner = typical.back();
  std::vector<StencilSide> sides;
  Cost all_around = 1;
  for (std::size_t i = 0; corner > 0 && i < n_axes; ++i) {
    const Cost length = typical[(typical.size() - 1) ^ (std::size_t{1} << i)] / corner;
    if (length < 2 || length > longest_of_stencil) return std::nullopt;
    sides.push_back({length, grid.axes[i].side});
    all_around *= length + 2;
  }
  if (corner == 0 || corner > (Cost{1} << 60) / n_places / all_around) return std::nullopt;
  std::vector<Cost> inside = most_inside_stencil(sides, std::min(largest_group, most_ranks_of_group));
  for (Cost& weight : inside) weight *= corner;
  const auto counted = [grid, sides, corner](std::int32_t a, std::int32_t b, std::uint64_t bytes) {
    const unsigned steps = steps_between(grid, a, b);
    if (steps == 0) return Cost{0};
    Cost weight = corner;
    for (std::size_t i = 0; i < sides.size(); ++i) weight *= (steps >> i & 1) != 0 ? 1 : sides[i].length;
    return std::min(weight, static_cast<Cost>(bytes));
  };
  return Pattern{counted, std::move(inside)};
}

}  // namespace corewise::patterns
