/// Mappings of grids: the shape of the grid, orders by recursive bisection and along strips.
#include "solvers/patterns/grid_mappings.hpp"

#include <algorithm>
#include <utility>

#include "solvers/patterns/grid.hpp"
#include "solvers/problem/fixed_point.hpp"

namespace corewise::patterns {
namespace {

/// Strips of width[0] x width[1] across two axes. Each is traversed along the third axis, alternately forward
/// and backward, so that the end of a strip touches the start of the next.
struct Strips {
  AxisOrder axes;  ///< two across, one along
  std::array<std::int32_t, 2> width;
};

SlotOfVertex boustrophedon_order(const GridShape& shape, const Strips& strips, std::int32_t n_vertices) {
  const auto [across_1, across_2, along] = strips.axes;
  const auto [width_1, width_2] = strips.width;
  const std::int32_t n_strips_2 = (shape.side[across_2] + width_2 - 1) / width_2;
  std::vector<std::array<std::int32_t, 5>> keys;  // strip, position in it, rank
  for (std::int32_t rank = 0; rank < volume(shape.side); ++rank) {
    const Box at = coordinates(rank, shape.side);
    const std::int32_t strip_1 = at[across_1] / width_1;
    std::int32_t strip_2 = at[across_2] / width_2;
    if (strip_1 % 2 == 1) strip_2 = n_strips_2 - 1 - strip_2;
    const std::int32_t strip = strip_1 * n_strips_2 + strip_2;
    const std::int32_t position = strip % 2 == 0 ? at[along] : shape.side[along] - 1 - at[along];
    keys.push_back({strip, position, at[across_1], at[across_2], rank});
  }
  std::ranges::sort(keys);
  SlotOfVertex slot_of = identity_mapping(n_vertices);
  for (std::size_t slot = 0; slot < keys.size(); ++slot) {
    slot_of[keys[slot].back()] = static_cast<std::int32_t>(slot);
  }
  return slot_of;
}

class BisectionOrder {
 public:
  BisectionOrder(const GridShape& shape, std::int32_t n_vertices)
      : shape_(shape), slot_of_(identity_mapping(n_vertices)) {}

  SlotOfVertex run() {
    order({0, 0, 0}, shape_.side);
    return std::move(slot_of_);
  }

 private:
  /// Gives the next slots to the box of these sides that begins at `start`.
  void order(Box start, Box side) {
    int across = -1;
    for (int axis = 0; axis < 3; ++axis) {
      if (side[axis] > 1 && (across < 0 || cut(side, axis) < cut(side, across))) across = axis;
    }
    if (across < 0) {
      slot_of_[rank_at(start, shape_.side)] = next_slot_++;
      return;
    }
    Box rest = side;
    side[across] /= 2;
    rest[across] -= side[across];
    order(start, side);
    start[across] += side[across];
    order(start, rest);
  }

  /// Traffic that a plane across `axis` cuts in a box, times the volume of the grid.
  [[nodiscard]] __int128 cut(const Box& side, int axis) const {
    const Box& whole = shape_.side;
    __int128 traffic = static_cast<__int128>(shape_.traffic[axis]) * whole[axis];
    if (whole[axis] > 1) traffic /= whole[axis] - 1;
    return traffic * (volume(side) / side[axis]);
  }

  const GridShape& shape_;
  SlotOfVertex slot_of_;
  std::int32_t next_slot_ = 0;
};

/// Hop-bytes of pairs in different groups of `level`, with distances reduced by the distance inside a group.
Cost cost_above(const Graph& graph, const SlotTree& tree, const SlotOfVertex& slot_of, int level) {
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

/// Strips to try for groups of `group_size` ranks. They are at most twice as wide as a square group.
std::vector<Strips> strips_for(const GridShape& shape, std::int32_t group_size) {
  const auto widest = static_cast<std::int32_t>(2 * integer_root(static_cast<std::uint64_t>(group_size)));
  std::vector<Strips> found;
  for (const AxisOrder& axes : kAxisOrders) {
    if (shape.side[axes[2]] == 1) continue;
    for (std::int32_t a = 1; a <= std::min(widest, shape.side[axes[0]]); ++a) {
      for (std::int32_t b = 1; b <= std::min({widest, group_size / a, shape.side[axes[1]]}); ++b) {
        found.push_back({axes, {a, b}});
      }
    }
  }
  return found;
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

SlotOfVertex bisection_order(const SlotTree& tree, const GridShape& shape) {
  return BisectionOrder(shape, tree.n_slots()).run();
}

std::vector<GroupedMapping> boustrophedon_mappings(const Graph& graph, const SlotTree& tree,
                                                   const GridShape& shape, std::size_t n_per_level,
                                                   WorkMeter& work) {
  std::vector<GroupedMapping> mappings;
  for (int level = tree.lowest_level(); level < tree.n_levels(); ++level) {
    std::vector<std::pair<Cost, SlotOfVertex>> found;
    for (const Strips& strips : strips_for(shape, tree.group_size(level, 0))) {
      SlotOfVertex slot_of = boustrophedon_order(shape, strips, tree.n_slots());
      work.add(graph.edges.size() + slot_of.size());
      if (work.out_of_time()) return mappings;
      found.emplace_back(cost_above(graph, tree, slot_of, level), std::move(slot_of));
    }
    std::ranges::sort(found);
    const auto equal = std::ranges::unique(found, {}, &std::pair<Cost, SlotOfVertex>::first);
    found.erase(equal.begin(), equal.end());
    for (std::size_t i = 0; i < std::min(n_per_level, found.size()); ++i) {
      mappings.push_back({level, std::move(found[i].second)});
    }
  }
  return mappings;
}

}  // namespace corewise::patterns
