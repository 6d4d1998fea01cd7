/// find_patterns(): grids with caps from the weights that the pairs of each axis have, and stencils.
#include "solvers/patterns/pattern.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "solvers/patterns/isoperimetry.hpp"
#include "solvers/patterns/stencil_pattern.hpp"

namespace corewise::patterns {
namespace {

/// A cap costs the excess of the pairs above it and what those below it lack; which is less depends on how
/// much can stay inside.
constexpr std::array<std::size_t, 3> percents{100, 60, 30};

/// The axis of which a < b are neighbours, or -1.
int axis_of(const RankGrid& grid, std::int32_t a, std::int32_t b) {
  for (std::size_t i = 0; i < grid.axes.size(); ++i) {
    if (grid.axes[i].neighbours(a, b)) return static_cast<int>(i);
  }
  return -1;
}

/// [axis]: weights of its pairs, ascending.
std::vector<std::vector<Cost>> weights_of(const RankGrid& grid, const PairGraph& graph) {
  std::vector<std::vector<Cost>> weights(grid.axes.size());
  for (std::int32_t a = 0; a < graph.n_ranks(); ++a) {
    for (const PairTraffic& pair : graph.partners(Rank{a})) {
      const std::int32_t b = raw(pair.peer);
      const int axis = a < b && pair.bytes > 0 ? axis_of(grid, a, b) : -1;
      if (axis != -1) weights[axis].push_back(static_cast<Cost>(pair.bytes));
    }
  }
  for (std::vector<Cost>& of_axis : weights) std::ranges::sort(of_axis);
  return weights;
}

std::vector<Pattern> grid_patterns(const RankGrid& grid, const PairGraph& graph, std::int64_t n_places,
                                   std::int64_t largest_group) {
  std::vector<std::vector<Cost>> weights = weights_of(grid, graph);
  // A second layer that few ranks reach would count as if all did.
  const GridAxis& slowest = grid.axes.front();
  if (slowest.side == 2 && grid.n_ranks < slowest.stride + slowest.stride / 2) weights.front().clear();
  std::vector<Pattern> patterns;
  std::vector<GridSide> last;
  for (const std::size_t percent : percents) {
    std::vector<GridSide> sides;
    Cost heaviest = 0;
    for (std::size_t axis = 0; axis < weights.size(); ++axis) {
      const std::vector<Cost>& ascending = weights[axis];
      const Cost cap = ascending.empty() ? 0 : ascending[(ascending.size() - 1) * percent / 100];
      sides.push_back({cap, grid.axes[axis].side, grid.axes[axis].ring});
      heaviest = std::max(heaviest, cap);
    }
    if (sides == last || heaviest > (Cost{1} << 60) / n_places / std::ssize(sides)) continue;
    last = sides;
    const auto counted = [grid, sides](std::int32_t a, std::int32_t b, std::uint64_t bytes) {
      const int axis = axis_of(grid, a, b);
      return axis == -1 ? 0 : std::min(sides[axis].weight, static_cast<Cost>(bytes));
    };
    patterns.push_back({counted, most_inside(sides, largest_group)});
  }
  return patterns;
}

}  // namespace

std::vector<Pattern> find_patterns(const PairGraph& graph, std::int64_t n_places,
                                   std::int64_t largest_group) {
  const std::optional<RankGrid> grid = find_grid(graph);
  if (!grid) return {};
  std::vector<Pattern> patterns = grid_patterns(*grid, graph, n_places, largest_group);
  if (auto stencil = stencil_pattern(*grid, graph, n_places, largest_group)) {
    patterns.push_back(std::move(*stencil));
  }
  return patterns;
}

}  // namespace corewise::patterns
