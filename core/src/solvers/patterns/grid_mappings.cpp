/// Grid starts: shape from strides, a curve, snakes.
#include "solvers/patterns/grid_mappings.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "solvers/patterns/grid.hpp"
#include "solvers/problem/fixed_point.hpp"

namespace corewise::patterns {
namespace {

using Box = std::array<std::int32_t, 3>;
using Slots = std::vector<std::int32_t>;

Box coordinates(std::int32_t v, const GridShape& shape) {
  return {v / (shape.side[1] * shape.side[2]), v / shape.side[2] % shape.side[1], v % shape.side[2]};
}

/// Vertices in the order of a snake: strips of width[0] x width[1] along the axes `across`, each run through
/// along `along`, there and back in turns so that the end of one strip touches the start of the next.
Slots snake(const GridShape& shape, const std::array<int, 3>& axes, const std::array<std::int32_t, 2>& width,
            std::int32_t n_vertices) {
  const auto [across_1, across_2, along] = axes;
  std::vector<std::array<std::int32_t, 5>> keys(shape.side[0] * shape.side[1] * shape.side[2]);
  for (std::int32_t v = 0; v < static_cast<std::int32_t>(keys.size()); ++v) {
    const Box at = coordinates(v, shape);
    const std::int32_t strip_1 = at[across_1] / width[0];
    const std::int32_t strips_2 = (shape.side[across_2] + width[1] - 1) / width[1];
    std::int32_t strip_2 = at[across_2] / width[1];
    if (strip_1 % 2 == 1) strip_2 = strips_2 - 1 - strip_2;
    const std::int32_t turn = strip_1 * strips_2 + strip_2;
    const std::int32_t position = turn % 2 == 0 ? at[along] : shape.side[along] - 1 - at[along];
    keys[v] = {turn, position, at[across_1], at[across_2], v};
  }
  std::ranges::sort(keys);
  Slots place_of(n_vertices);
  std::iota(place_of.begin(), place_of.end(), 0);
  for (std::size_t place = 0; place < keys.size(); ++place)
    place_of[keys[place][4]] = static_cast<std::int32_t>(place);
  return place_of;
}

/// Numbers the ranks of a box along a curve: one half after the other.
class Curve {
 public:
  Curve(const GridShape& shape, std::int32_t n_vertices) : shape_(shape), place_of_(n_vertices) {
    std::iota(place_of_.begin(), place_of_.end(), 0);
  }

  Slots run() {
    follow({0, 0, 0}, shape_.side);
    return std::move(place_of_);
  }

 private:
  void follow(Box start, Box side) {
    int across = -1;
    for (int axis = 0; axis < 3; ++axis) {
      if (side[axis] > 1 && (across < 0 || cut(side, axis) < cut(side, across))) across = axis;
    }
    if (across < 0) {
      place_of_[(start[0] * shape_.side[1] + start[1]) * shape_.side[2] + start[2]] = next_++;
      return;
    }
    Box rest = side;
    side[across] /= 2;
    rest[across] -= side[across];
    follow(start, side);
    start[across] += side[across];
    follow(start, rest);
  }

  /// Traffic through a plane across `axis`, relative to that of the whole grid's planes.
  [[nodiscard]] __int128 cut(const Box& side, int axis) const {
    const Box& whole = shape_.side;
    __int128 traffic = static_cast<__int128>(shape_.traffic[axis]) * whole[axis];
    if (whole[axis] > 1) traffic /= whole[axis] - 1;
    return traffic * (side[0] * side[1] * side[2] / side[axis]);
  }

  const GridShape& shape_;
  Slots place_of_;
  std::int32_t next_ = 0;
};

/// Distance steps above `level` times the traffic they see.
Cost cost_above(const Graph& graph, const SlotTree& tree, const Slots& slot_of, int level) {
  Cost sum = 0;
  for (std::int32_t v = 0; v < graph.n(); ++v) {
    for (const Edge& edge : graph.row(v)) {
      const int meeting = tree.meeting_level(slot_of[v], slot_of[edge.to]);
      if (meeting > level)
        sum += edge.weight * (tree.distance_of_level(meeting) - tree.distance_of_level(level));
    }
  }
  return sum;
}

/// The cheapest snakes for groups of `level`.
void add_boustrophedon(const Graph& graph, const SlotTree& tree, const GridShape& shape, int level,
                       std::size_t most, WorkMeter& work, std::vector<GroupedMapping>& starts) {
  const std::int32_t size = tree.group_size(level, 0);
  constexpr std::array<std::array<int, 3>, 6> orders{
      {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}};
  // Good groups are far from sticks: no side beyond twice the square's.
  const auto widest = static_cast<std::int32_t>(2 * integer_root(static_cast<std::uint64_t>(size)));
  std::vector<std::pair<Cost, Slots>> found;
  for (const auto& axes : orders) {
    if (shape.side[axes[2]] == 1) continue;
    for (std::int32_t a = 1; a <= std::min(widest, shape.side[axes[0]]); ++a) {
      for (std::int32_t b = 1; b <= std::min({widest, size / a, shape.side[axes[1]]}); ++b) {
        Slots slot_of = snake(shape, axes, {a, b}, tree.n_slots());
        work.add(graph.edges.size() + slot_of.size());
        if (work.out_of_time()) return;
        found.emplace_back(cost_above(graph, tree, slot_of, level), std::move(slot_of));
      }
    }
  }
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end(),
                          [](const auto& a, const auto& b) { return a.first == b.first; }),
              found.end());
  for (std::size_t i = 0; i < std::min(most, found.size()); ++i) {
    starts.push_back({level, std::move(found[i].second)});
  }
}

}  // namespace

std::optional<GridShape> detect_grid(const Graph& graph) {
  const std::optional<RankGrid> grid = find_grid(graph);
  if (!grid || grid->axes.size() < 2 || grid->axes.size() > 3) return std::nullopt;
  const GridAxis& slowest = grid->axes.front();
  const bool complete = slowest.stride * slowest.side == grid->n_ranks;
  if (!complete || grid->bytes_of_axes < grid->bytes - grid->bytes / 5) return std::nullopt;
  GridShape shape;
  std::size_t axis = 3 - grid->axes.size();
  for (const GridAxis& found : grid->axes) {
    shape.side[axis] = found.side;
    shape.traffic[axis++] = static_cast<Cost>(found.bytes);
  }
  return shape;
}

std::vector<std::int32_t> bisection_curve(const SlotTree& tree, const GridShape& shape) {
  return Curve(shape, tree.n_slots()).run();
}

std::vector<GroupedMapping> boustrophedon_mappings(const Graph& graph, const SlotTree& tree,
                                                   const GridShape& shape, std::size_t most,
                                                   WorkMeter& work) {
  std::vector<GroupedMapping> starts;
  for (int level = tree.lowest_level(); level < tree.n_levels(); ++level) {
    add_boustrophedon(graph, tree, shape, level, most, work, starts);
  }
  return starts;
}

}  // namespace corewise::patterns
