/// Box tiling by dynamic programming over the shapes of boxes, as in guillotine cutting (Gilmore, Gomory,
/// Operations Research 13, 1965). Our additions: all levels of groups at once, and row orders in small boxes.
#include "solvers/patterns/box_tiling.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <map>
#include <utility>

namespace corewise::patterns {
namespace {

/// Limits the depth of the recursion, which is one call for each successive cut.
constexpr std::int32_t max_sum_of_sides = 4096;
/// With more boxes, other constructions find equally good mappings in less time.
constexpr std::size_t max_boxes = 1 << 14;
/// Larger boxes get no row order: each of the six orders visits every rank.
constexpr std::int32_t max_ranks_row_order = 128;
constexpr Cost impossible = std::numeric_limits<Cost>::max() / 4;
/// Relative weight of the heaviest axis.
constexpr Cost greatest_weight = 4096;

/// [axis] traffic between two neighbours along it, scaled so that the heaviest axis has greatest_weight.
std::array<Cost, 3> weights_of(const GridShape& shape) {
  std::array<Cost, 3> weight{};
  for (int axis = 0; axis < 3; ++axis) {
    const Cost n_pairs = Cost{shape.side[axis] - 1} * (volume(shape.side) / shape.side[axis]);
    if (n_pairs > 0) weight[axis] = shape.traffic[axis] / n_pairs;
  }
  const Cost heaviest = std::max<Cost>(1, std::ranges::max(weight));
  for (Cost& each : weight) {
    each = static_cast<Cost>(static_cast<__int128>(each) * greatest_weight / heaviest);
  }
  return weight;
}

class BoxTiling {
 public:
  BoxTiling(const SlotTree& tree, const GridShape& shape, WorkMeter& work)
      : tree_(tree), shape_(shape), weight_(weights_of(shape)), work_(work) {}

  std::optional<SlotOfVertex> run() {
    if (cheapest(shape_.side) >= impossible) return std::nullopt;
    map(shape_.side, {0, 0, 0}, 0);
    return std::move(slot_of_);
  }

 private:
  /// How a box is divided: by a plane across `axis`, `at` ranks from the start; in row order if `at` is 0.
  struct Division {
    Cost cost = impossible;  ///< hop-bytes of the traffic inside the box, with distances by above_lowest()
    int axis = 0;
    std::int32_t at = 0;
    AxisOrder row_order = kAxisOrders.front();  ///< axes, slowest first
  };

  /// The lowest level whose groups have room for the box.
  [[nodiscard]] int level_of(const Box& box) const {
    int level = tree_.lowest_level();
    while (tree_.group_size(level, 0) < volume(box)) ++level;
    return level;
  }

  /// The cost of the best division of a box. It depends on the box's shape, not on its position.
  Cost cheapest(const Box& box) {
    const int level = level_of(box);
    if (level == tree_.lowest_level()) return 0;
    if (const auto known = divisions_.find(box); known != divisions_.end()) return known->second.cost;
    if (divisions_.size() >= max_boxes || work_.out_of_time()) return impossible;
    Division best;
    if (volume(box) <= max_ranks_row_order) {
      for (const AxisOrder& order : kAxisOrders) {
        if (const Cost cost = row_order_cost(box, order); cost < best.cost) best = {cost, 0, 0, order};
      }
    }
    const std::int32_t unit = tree_.group_size(level - 1, 0);
    for (int axis = 0; axis < 3; ++axis) {
      const std::int32_t area = volume(box) / box[axis];
      for (std::int32_t at = 1; at <= box[axis] / 2; ++at) {
        if (at * area % unit != 0) continue;
        const auto [near, far] = parts(box, axis, at);
        const Cost cost = above_lowest(level) * weight_[axis] * area + cheapest(near) + cheapest(far);
        if (cost < best.cost) best = {cost, axis, at, {}};
      }
      work_.add(static_cast<std::uint64_t>(box[axis]));
    }
    divisions_[box] = best;
    return best.cost;
  }

  /// How much farther apart ranks are that meet at this level than those inside a lowest group.
  [[nodiscard]] Cost above_lowest(int level) const {
    return tree_.distance_of_level(level) - tree_.distance_of_level(tree_.lowest_level());
  }

  /// Numbers the ranks of a box with the axes in another order, slowest first.
  /// @return [rank in row-major order] its number
  [[nodiscard]] static std::vector<std::int32_t> row_order(const Box& box, const AxisOrder& order) {
    const Box stride{box[1] * box[2], box[2], 1};
    std::vector<std::int32_t> number(volume(box));
    std::int32_t next = 0;
    for (std::int32_t i = 0; i < box[order[0]]; ++i) {
      for (std::int32_t j = 0; j < box[order[1]]; ++j) {
        for (std::int32_t k = 0; k < box[order[2]]; ++k) {
          number[i * stride[order[0]] + j * stride[order[1]] + k * stride[order[2]]] = next++;
        }
      }
    }
    return number;
  }

  Cost row_order_cost(const Box& box, const AxisOrder& order) {
    const std::vector<std::int32_t> slot = row_order(box, order);
    Cost sum = 0;
    std::int32_t stride = 1;
    for (int axis = 2; axis >= 0; --axis) {
      for (std::int32_t v = 0; v < volume(box); ++v) {
        if (v / stride % box[axis] + 1 == box[axis]) continue;
        const int level = tree_.meeting_level(slot[v], slot[v + stride]);
        sum += level > tree_.lowest_level() ? weight_[axis] * above_lowest(level) : 0;
      }
      stride *= box[axis];
    }
    work_.add(3 * slot.size());
    return sum;
  }

  [[nodiscard]] static std::array<Box, 2> parts(const Box& box, int axis, std::int32_t at) {
    std::array<Box, 2> result{box, box};
    result[0][axis] = at;
    result[1][axis] = box[axis] - at;
    return result;
  }

  /// Gives the box that begins at `start` the slots from `first_slot` on.
  void map(const Box& box, const Box& start, std::int32_t first_slot) {
    const auto known = divisions_.find(box);
    const Division division = known == divisions_.end() ? Division{} : known->second;
    if (division.at == 0) {
      map_row_order(box, start, first_slot, division.row_order);
      return;
    }
    const auto [near, far] = parts(box, division.axis, division.at);
    Box far_start = start;
    far_start[division.axis] += division.at;
    map(near, start, first_slot);
    map(far, far_start, first_slot + volume(near));
  }

  void map_row_order(const Box& box, const Box& start, std::int32_t first_slot, const AxisOrder& order) {
    const std::vector<std::int32_t> slot = row_order(box, order);
    for (std::int32_t v = 0; v < volume(box); ++v) {
      Box at = coordinates(v, box);
      std::ranges::transform(at, start, at.begin(), std::plus{});
      slot_of_[rank_at(at, shape_.side)] = first_slot + slot[v];
    }
  }

  const SlotTree& tree_;
  const GridShape& shape_;
  std::array<Cost, 3> weight_;
  WorkMeter& work_;
  std::map<Box, Division> divisions_;  ///< [shape] of boxes larger than a lowest group
  SlotOfVertex slot_of_ = SlotOfVertex(tree_.n_slots());
};

}  // namespace

std::optional<SlotOfVertex> box_tiling(const SlotTree& tree, const GridShape& shape, WorkMeter& work) {
  const auto [a, b, c] = shape.side;
  const bool fills = Cost{a} * b * c == tree.n_slots();
  if (!fills || Cost{a} + b + c > max_sum_of_sides || !tree.is_even()) return std::nullopt;
  return BoxTiling(tree, shape, work).run();
}

}  // namespace corewise::patterns
