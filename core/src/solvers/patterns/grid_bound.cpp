/// most_inside_grid(): a dynamic programme over layers, axis by axis; grid_patterns(): weights of the axes.
#include "solvers/patterns/grid_bound.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "solvers/patterns/layers.hpp"

namespace corewise::patterns {
namespace {

/// A pattern gives all pairs of an axis one weight, a percentile of their weights. The excess of heavier
/// pairs and the deficit of lighter ones weaken its bound. Which percentile gives the best bound depends on
/// how much can stay inside, so grid_patterns() makes a pattern for each.
constexpr std::array<std::size_t, 3> percentiles{100, 60, 30};

class GridLayers : public Layers {
 public:
  using Layers::Layers;

  void stack(const GridSide& axis) {
    const std::int64_t layer = std::ssize(most_inside_) - 1;
    const std::int64_t all = std::min(most_, layer * axis.side);
    const bool ring = axis.ring && axis.side > 2;
    constexpr Cost impossible = std::numeric_limits<Cost>::min() / 2;
    std::vector<Cost> packed(all + 1, impossible);  // [t] most inside layers of at most m vertices, t in all
    std::vector<Cost> beyond(all + 1, 0);           // [t] the same, but t leaves out one vertex of each layer
    std::vector<Cost> stacked(all + 1, 0);
    packed[0] = 0;
    for (std::int64_t m = 1; m <= std::min(layer, all); ++m) {
      for (std::int64_t t = m - 1; ring && m > 1 && t <= all; ++t) {
        beyond[t] = std::max(beyond[t], beyond[t - (m - 1)] + most_inside_[m]);
      }
      for (std::int64_t t = m; t <= all; ++t) {
        const Cost in_layers = packed[t - m] + most_inside_[m];
        packed[t] = std::max(packed[t], in_layers);
        if (t > m * axis.side) continue;
        stacked[t] = std::max(stacked[t], in_layers + axis.weight * (t - m));
        if (!ring || t < m + axis.side - 1) continue;
        // All layers of the ring are used: the smallest has at least one vertex, and at most the mean of all
        // layers but the largest.
        const Cost closed = std::min(in_layers, beyond[t - m - (axis.side - 1)] + most_inside_[m]);
        stacked[t] = std::max(stacked[t], closed + axis.weight * (t - m + (t - m) / (axis.side - 1)));
      }
      steps_ += all - m;
    }
    most_inside_ = std::move(stacked);
  }
};

/// The axis along which a < b are neighbours, or -1.
int axis_of(const RankGrid& grid, std::int32_t a, std::int32_t b) {
  for (std::size_t i = 0; i < grid.axes.size(); ++i) {
    if (grid.axes[i].neighbours(a, b)) return static_cast<int>(i);
  }
  return -1;
}

/// [axis] weights of its pairs, ascending.
std::vector<std::vector<Cost>> weights_of(const RankGrid& grid, const PairGraph& graph) {
  std::vector<std::vector<Cost>> weights(grid.axes.size());
  for_each_pair(graph, [&](std::int32_t a, std::int32_t b, const PairTraffic& pair) {
    const int axis = pair.bytes > 0 ? axis_of(grid, a, b) : -1;
    if (axis != -1) weights[axis].push_back(static_cast<Cost>(pair.bytes));
  });
  for (std::vector<Cost>& of_axis : weights) std::ranges::sort(of_axis);
  return weights;
}

}  // namespace

std::vector<Cost> most_inside_grid(std::vector<GridSide> axes, std::int64_t most) {
  return least_over_orders<GridLayers>(std::move(axes), most);
}

std::vector<Pattern> grid_patterns(const RankGrid& grid, const PairGraph& graph, std::int64_t n_places,
                                   std::int64_t largest_group) {
  std::vector<std::vector<Cost>> weights = weights_of(grid, graph);
  // The pattern would count a second layer with few ranks as if it were complete.
  const GridAxis& slowest = grid.axes.front();
  if (slowest.side == 2 && grid.n_ranks < slowest.stride + slowest.stride / 2) weights.front().clear();
  std::vector<Pattern> patterns;
  std::vector<GridSide> last;
  for (const std::size_t percentile : percentiles) {
    std::vector<GridSide> sides;
    Cost heaviest = 0;
    for (std::size_t axis = 0; axis < weights.size(); ++axis) {
      const std::vector<Cost>& ascending = weights[axis];
      const Cost cap = ascending.empty() ? 0 : ascending[(ascending.size() - 1) * percentile / 100];
      sides.push_back({cap, grid.axes[axis].side, grid.axes[axis].ring});
      heaviest = std::max(heaviest, cap);
    }
    if (sides == last || heaviest > (Cost{1} << 60) / n_places / std::ssize(sides)) continue;
    last = sides;
    const auto counted = [grid, sides](std::int32_t a, std::int32_t b, std::uint64_t bytes) {
      const int axis = axis_of(grid, a, b);
      return axis == -1 ? 0 : std::min(sides[axis].weight, static_cast<Cost>(bytes));
    };
    patterns.push_back({counted, most_inside_grid(sides, largest_group)});
  }
  return patterns;
}

}  // namespace corewise::patterns
