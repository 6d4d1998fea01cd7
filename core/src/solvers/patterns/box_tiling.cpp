/// Box tiling by dynamic programming over the shapes of boxes, as in guillotine cutting (Gilmore, Gomory,
/// Operations Research 13, 1965). Ours: the groups of all levels at once, and runs where planes do not fit.
#include "solvers/patterns/box_tiling.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>

namespace corewise::patterns {
namespace {

using Box = std::array<std::int32_t, 3>;

/// Axes, slowest first.
using Order = std::array<int, 3>;
constexpr std::array<Order, 6> orders{{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}};

/// Recursion is as deep as cuts follow each other; with more boxes other starts find as much in less time.
constexpr std::int32_t longest_sides = 4096;
constexpr std::size_t most_boxes = 1 << 14;
/// Filling by runs looks at every rank of a box, in six ways.
constexpr std::int32_t most_ranks_of_runs = 128;
constexpr Cost impossible = std::numeric_limits<Cost>::max() / 4;

std::int32_t volume(const Box& box) { return box[0] * box[1] * box[2]; }

/// Traffic between two neighbours along each axis, relative to the heaviest axis, which has 4096.
std::array<Cost, 3> weights_of(const GridShape& shape) {
  std::array<Cost, 3> weight{};
  for (int axis = 0; axis < 3; ++axis) {
    const Cost faces = Cost{shape.side[axis] - 1} * (volume(shape.side) / shape.side[axis]);
    if (faces > 0) weight[axis] = shape.traffic[axis] / faces;
  }
  const Cost heaviest = std::max<Cost>(1, std::ranges::max(weight));
  for (Cost& each : weight) each = static_cast<Cost>(static_cast<__int128>(each) * 4096 / heaviest);
  return weight;
}

class BoxTiling {
 public:
  BoxTiling(const SlotTree& tree, const GridShape& shape, WorkMeter& work)
      : tree_(tree), shape_(shape), weight_(weights_of(shape)), work_(work) {}

  std::optional<std::vector<std::int32_t>> run() {
    if (cheapest(shape_.side) >= impossible) return std::nullopt;
    place(shape_.side, {0, 0, 0}, 0);
    return std::move(slot_of_);
  }

 private:
  /// The cheapest way to fill a box: cut by a plane across `axis`, `at` from its start; or, where `at` is 0,
  /// rank by rank in an order, so that groups meet in stepped planes.
  struct Filling {
    Cost cost = impossible;  ///< of what is inside the box, above that of lowest groups
    int axis = 0;
    std::int32_t at = 0;
    Order order = orders.front();
  };

  /// The level of the group that the box fills or is a part of.
  [[nodiscard]] int level_of(const Box& box) const {
    int level = tree_.lowest_level();
    while (tree_.group_size(level, 0) < volume(box)) ++level;
    return level;
  }

  /// What the box costs when it is filled best. Boxes of one shape cost the same wherever they are.
  Cost cheapest(const Box& box) {
    const int level = level_of(box);
    if (level == tree_.lowest_level()) return 0;
    if (const auto known = fillings_.find(box); known != fillings_.end()) return known->second.cost;
    if (fillings_.size() >= most_boxes || work_.out_of_time()) return impossible;
    Filling best;
    if (volume(box) <= most_ranks_of_runs) {
      for (const Order& order : orders) {
        if (const Cost cost = cost_of_runs(box, order); cost < best.cost) best = {cost, 0, 0, order};
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
    fillings_[box] = best;
    return best.cost;
  }

  [[nodiscard]] Cost above_lowest(int level) const {
    return tree_.distance_of_level(level) - tree_.distance_of_level(tree_.lowest_level());
  }

  /// Numbers a box's ranks in an order. @return [rank in row-major order] -> number
  [[nodiscard]] static std::vector<std::int32_t> runs(const Box& box, const Order& order) {
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

  Cost cost_of_runs(const Box& box, const Order& order) {
    const std::vector<std::int32_t> slot = runs(box, order);
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

  /// Gives the box whose first vertex has coordinates `start` the slots from `first_slot` on.
  void place(const Box& box, const Box& start, std::int32_t first_slot) {
    const auto known = fillings_.find(box);
    const Filling filling = known == fillings_.end() ? Filling{} : known->second;
    if (filling.at == 0) {
      place_runs(box, start, first_slot, filling.order);
      return;
    }
    const auto [near, far] = parts(box, filling.axis, filling.at);
    Box behind = start;
    behind[filling.axis] += filling.at;
    place(near, start, first_slot);
    place(far, behind, first_slot + volume(near));
  }

  void place_runs(const Box& box, const Box& start, std::int32_t first_slot, const Order& order) {
    const std::vector<std::int32_t> slot = runs(box, order);
    for (std::int32_t v = 0; v < volume(box); ++v) {
      const std::int32_t a = start[0] + v / (box[1] * box[2]), b = start[1] + v / box[2] % box[1],
                         c = start[2] + v % box[2];
      slot_of_[(a * shape_.side[1] + b) * shape_.side[2] + c] = first_slot + slot[v];
    }
  }

  const SlotTree& tree_;
  const GridShape& shape_;
  std::array<Cost, 3> weight_;
  WorkMeter& work_;
  std::map<Box, Filling> fillings_;  // of every box looked at that is larger than a lowest group
  std::vector<std::int32_t> slot_of_ = std::vector<std::int32_t>(tree_.n_slots());
};

}  // namespace

std::optional<std::vector<std::int32_t>> box_tiling(const SlotTree& tree, const GridShape& shape,
                                                    WorkMeter& work) {
  const auto [a, b, c] = shape.side;
  const bool fills = Cost{a} * b * c == tree.n_slots();
  if (!fills || Cost{a} + b + c > longest_sides || !tree.is_even()) return std::nullopt;
  return BoxTiling(tree, shape, work).run();
}

}  // namespace corewise::patterns
