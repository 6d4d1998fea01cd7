/// Depth first over the groups of the lowest free vertex, cheapest net of prices first.
#include "solvers/proof/partition_search.hpp"

#include <algorithm>
#include <array>

namespace corewise::proof {
namespace {

class PartitionSearch {
 public:
  PartitionSearch(NestedCost& nested, const HopInstance& instance, int level, const Prices& prices,
                  const ProofLimits& limits)
      : nested_(nested), instance_(instance), level_(level), prices_(prices), limits_(limits) {}

  PartitionResult run(const std::vector<CostedSet>& sets, Cost most_cost) {
    by_lowest_.resize(instance_.n);
    for (const CostedSet& set : sets) {
      by_lowest_[std::countr_zero(set.members)].push_back(
          {set.members, set.cost - total(prices_, set.members)});
    }
    for (std::vector<CostedSet>& of_vertex : by_lowest_) {
      std::ranges::sort(of_vertex, {}, [](const CostedSet& set) { return std::pair(set.cost, set.members); });
    }
    const Cost floor = total(prices_, instance_.all());
    slack_ = most_cost - floor;
    descend(instance_.all(), 0);
    result_.cost = floor + found_net_;
    return std::move(result_);
  }

 private:
  /// @param net  of the groups chosen so far.
  void descend(Subset rest, Cost net) {
    if (rest == 0) {
      result_.groups = chosen_;
      found_net_ = net;
      slack_ = net - kScale;  // from now on only better ones, and costs are whole
      return;
    }
    if (std::popcount(rest) == instance_.size[level_]) {
      take({rest, lowest_net(rest)}, rest, net);
      return;
    }
    for (const CostedSet& set : by_lowest_[std::countr_zero(rest)]) {
      if (net + set.cost > slack_) return;
      if ((set.members & ~rest) != 0) continue;
      take(set, rest, net);
      if (!result_.complete) return;
    }
  }

  /// @param set  its cost is net of prices and may be too low.
  void take(const CostedSet& set, Subset rest, Cost net) {
    if (net + set.cost > slack_) return;
    if (++steps_ + nested_.steps() > limits_.most_steps ||
        (steps_ % 4096 == 0 && limits_.deadline.passed())) {
      result_.complete = false;
      return;
    }
    const Cost real = nested_.of(set.members, level_) - total(prices_, set.members);
    if (net + real > slack_) return;
    chosen_.push_back(set.members);
    descend(rest & ~set.members, net + real);
    chosen_.pop_back();
  }

  /// Without the groups inside, which can only be cheaper with fewer members than their prices say.
  Cost lowest_net(Subset set) const {
    const Cost below = total(nested_.prices(level_ - 1), set);
    return instance_.factor(level_) * instance_.inside(set) + below - total(prices_, set);
  }

  NestedCost& nested_;
  const HopInstance& instance_;
  int level_;
  const Prices& prices_;
  const ProofLimits& limits_;
  std::vector<std::vector<CostedSet>> by_lowest_;  ///< [lowest member], costs net of prices, ascending
  std::vector<Subset> chosen_;
  Cost slack_ = 0;
  Cost found_net_ = 0;
  PartitionResult result_;
  std::uint64_t steps_ = 0;
};

class Bisection {
 public:
  Bisection(NestedCost& nested, const HopInstance& instance, const Prices& prices, const ProofLimits& limits)
      : nested_(nested),
        instance_(instance),
        prices_(prices),
        limits_(limits),
        level_(instance.n_levels() - 1) {
    order_vertices();
  }

  PartitionResult run(Cost most_cost) {
    most_cost_ = most_cost;
    to_[0].assign(instance_.n, 0);
    to_[1].assign(instance_.n, 0);
    for (int u = 0; u < instance_.n; ++u) {
      for (int v = 0; v < u; ++v) loosest_open_ += std::min<Cost>(0, instance_.between(u, v));
    }
    whole_ = instance_.inside(instance_.all());
    descend(0, 0, 0, 0, loosest_open_);
    return std::move(result_);
  }

 private:
  /// From a vertex outwards: the next one is the best connected to those before it.
  void order_vertices() {
    std::vector<Cost> pull(instance_.n, 0);
    Subset left = instance_.all();
    while (left != 0) {
      int next = std::countr_zero(left);
      for_each_vertex(left, [&](int v) { next = std::abs(pull[v]) > std::abs(pull[next]) ? v : next; });
      order_.push_back(next);
      left &= ~(Subset{1} << next);
      for_each_vertex(left, [&](int v) { pull[v] += instance_.between(next, v); });
    }
  }

  /// @param cut   weight between the sides so far.
  /// @param open  least weight that pairs of vertices without a side can add.
  void descend(int depth, Subset side0, Subset side1, Cost cut, Cost open) {
    if (!result_.complete) return;
    if (++steps_ + nested_.steps() > limits_.most_steps ||
        (steps_ % 4096 == 0 && limits_.deadline.passed())) {
      result_.complete = false;
      return;
    }
    if (lowest_cost(cut + open + open_to_sides(depth)) > most_cost_) return;
    if (depth == instance_.n) {
      finish(side0, side1);
      return;
    }
    const int v = order_[depth];
    Cost open_after = open;
    for (int i = depth + 1; i < instance_.n; ++i)
      open_after -= std::min<Cost>(0, instance_.between(v, order_[i]));
    const int half = instance_.n / 2;
    for (const int side : {0, 1}) {
      if (depth == 0 && side == 1) break;  // mirror images
      if (std::popcount(side == 0 ? side0 : side1) == half) continue;
      const Subset bit = Subset{1} << v;
      for (int i = depth + 1; i < instance_.n; ++i) to_[side][order_[i]] += instance_.between(v, order_[i]);
      descend(depth + 1, side == 0 ? side0 | bit : side0, side == 1 ? side1 | bit : side1,
              cut + to_[1 - side][v], open_after);
      for (int i = depth + 1; i < instance_.n; ++i) to_[side][order_[i]] -= instance_.between(v, order_[i]);
    }
  }

  /// Each vertex without a side is cut from one of them.
  Cost open_to_sides(int depth) const {
    Cost sum = 0;
    for (int i = depth; i < instance_.n; ++i) sum += std::min(to_[0][order_[i]], to_[1][order_[i]]);
    return sum;
  }

  Cost lowest_cost(Cost cut) const {
    return total(prices_, instance_.all()) + instance_.factor(level_) * (whole_ - cut);
  }

  void finish(Subset side0, Subset side1) {
    const Cost cost = nested_.of(side0, level_) + nested_.of(side1, level_);
    if (cost > most_cost_) return;
    result_.groups = {side0, side1};
    result_.cost = cost;
    most_cost_ = cost - kScale;
  }

  NestedCost& nested_;
  const HopInstance& instance_;
  const Prices& prices_;
  const ProofLimits& limits_;
  int level_;
  std::vector<int> order_;
  std::vector<Cost> to_[2];  ///< [side][vertex]: weight to the vertices on that side
  Cost loosest_open_ = 0;
  Cost whole_ = 0;
  Cost most_cost_ = 0;
  PartitionResult result_;
  std::uint64_t steps_ = 0;
};

}  // namespace

PartitionResult search_partition(NestedCost& nested, const HopInstance& instance, int level,
                                 const std::vector<CostedSet>& sets, const Prices& prices, Cost most_cost,
                                 const ProofLimits& limits) {
  return PartitionSearch(nested, instance, level, prices, limits).run(sets, most_cost);
}

PartitionResult search_bisection(NestedCost& nested, const HopInstance& instance, const Prices& prices,
                                 Cost most_cost, const ProofLimits& limits) {
  return Bisection(nested, instance, prices, limits).run(most_cost);
}

}  // namespace corewise::proof
