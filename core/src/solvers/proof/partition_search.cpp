/// Depth first over the groups of the vertex that has fewest, prices raised anew for what is left.
#include "solvers/proof/partition_search.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "solvers/proof/set_growth.hpp"
#include "solvers/proof/subset_table.hpp"

namespace corewise::proof {
namespace {

/// Prices are raised anew for what is left as long as that takes less than looking at this many sets.
constexpr std::size_t kMostLooks = 3'000'000;
constexpr std::size_t kMostRounds = 40;
/// Of what was left: about 128 MB.
constexpr std::size_t kMostRemembered = 4'000'000;
/// A step of growth takes about as long as looking at this many sets one after the other.
constexpr std::uint64_t kLooksPerStep = 16;

class PartitionSearch {
 public:
  PartitionSearch(NestedCost& nested, const HopInstance& instance, int level, const ProofLimits& limits)
      : nested_(nested), instance_(instance), level_(level), limits_(limits) {}

  PartitionResult run(std::vector<CostedSet> sets, Prices prices, Cost most_cost) {
    most_cost_ = most_cost;
    for (CostedSet& set : sets) set.cost -= total(prices, set.members);
    sort(sets);
    const Cost at_least = total(prices, instance_.all());
    descend({instance_.all(), std::move(sets), std::move(prices), 0, at_least});
    return std::move(result_);
  }

 private:
  /// What is left to partition.
  struct Rest {
    Subset vertices;
    std::vector<CostedSet> sets;  ///< all inside, costs net of prices, ascending
    Prices prices;                ///< hold for these sets
    Cost spent;                   ///< on the groups chosen so far
    Cost at_least;                ///< on the others: their prices
  };

  void descend(Rest rest) {
    if (rest.vertices == 0) {
      result_.groups = chosen_;
      result_.cost = rest.spent;
      most_cost_ = rest.spent - instance_.grain;  // from now on only better ones
      return;
    }
    if (!spend(rest.sets.size()) || !covered(rest)) return;
    raise(rest);
    const Cost slack = most_cost_ - rest.spent - rest.at_least;
    while (!rest.sets.empty() && rest.sets.back().cost > slack) rest.sets.pop_back();
    if (slack < 0 || !covered(rest)) return;
    for (const CostedSet& set : sets_of_rarest(rest)) {
      take(set, rest);
      if (!result_.complete) return;
    }
  }

  void take(const CostedSet& set, const Rest& rest) {
    const Cost price = total(rest.prices, set.members);
    const Subset others = rest.vertices & ~set.members;
    Cost others_cost = rest.at_least - price;
    if (const Cost* exceeded = exceeded_.find(others)) others_cost = std::max(others_cost, *exceeded);
    const Cost most_for_set = most_cost_ - rest.spent - others_cost;
    if (set.cost + price > most_for_set || !spend(1)) return;
    const Cost real = nested_.of(set.members, level_);
    if (real > most_for_set) return;
    Rest after{others, {}, rest.prices, rest.spent + real, rest.at_least - price};
    const Cost slack = most_cost_ - after.spent - after.at_least;
    for (const CostedSet& other : rest.sets) {
      if (other.cost > slack) break;
      if ((other.members & set.members) == 0) after.sets.push_back(other);
    }
    const Cost spent = after.spent;
    chosen_.push_back(set.members);
    descend(std::move(after));
    chosen_.pop_back();
    if (result_.complete && exceeded_.size() < kMostRemembered) exceeded_.put(others, most_cost_ - spent + 1);
  }

  static bool covered(const Rest& rest) {
    Subset covered = 0;
    for (const CostedSet& set : rest.sets) covered |= set.members;
    return covered == rest.vertices;
  }

  void raise(Rest& rest) {
    const std::size_t rounds = std::min(kMostLooks / rest.sets.size(), kMostRounds);
    if (rounds < 2 || !spend(rounds * rest.sets.size())) return;
    const auto look = [&](const Prices& at) { return cheapest_sets(instance_.n, rest.sets, at); };
    const Cost enough = most_cost_ - rest.spent - rest.at_least;
    const Prices more =
        raise_prices(look, Prices(instance_.n, 0),
                     {instance_.size[level_], enough, static_cast<int>(rounds), limits_.deadline});
    rest.at_least += total(more, rest.vertices);
    for (int v = 0; v < instance_.n; ++v) rest.prices[v] += more[v];
    for (CostedSet& set : rest.sets) set.cost -= total(more, set.members);
    sort(rest.sets);
  }

  static void sort(std::vector<CostedSet>& sets) {
    std::ranges::sort(sets, {}, [](const CostedSet& set) { return std::pair(set.cost, set.members); });
  }

  /// The sets of the vertex that has fewest, cheapest net of prices first.
  static std::vector<CostedSet> sets_of_rarest(const Rest& rest) {
    std::array<std::size_t, 64> count{};
    for (const CostedSet& set : rest.sets) for_each_vertex(set.members, [&](int v) { ++count[v]; });
    int rarest = std::countr_zero(rest.vertices);
    for_each_vertex(rest.vertices, [&](int v) { rarest = count[v] < count[rarest] ? v : rarest; });
    std::vector<CostedSet> sets;
    for (const CostedSet& set : rest.sets) {
      if ((set.members >> rarest & 1) != 0) sets.push_back(set);
    }
    return sets;
  }

  bool spend(std::size_t looks) {
    steps_ += looks;
    if (steps_ + nested_.steps() > limits_.most_steps || limits_.deadline.passed()) result_.complete = false;
    return result_.complete;
  }

  NestedCost& nested_;
  const HopInstance& instance_;
  int level_;
  ProofLimits limits_;
  std::vector<Subset> chosen_;
  Cost most_cost_ = 0;
  PartitionResult result_;
  SubsetTable exceeded_;  ///< of what was left once: costs that much at least
  std::uint64_t steps_ = 0;
};

}  // namespace

PartitionResult search_partition(NestedCost& nested, const HopInstance& instance, int level,
                                 std::vector<CostedSet> sets, const Prices& prices, Cost most_cost,
                                 const ProofLimits& limits) {
  return PartitionSearch(nested, instance, level, limits).run(std::move(sets), prices, most_cost);
}

PartitionResult search_bisection(NestedCost& nested, const HopInstance& instance, const Prices& prices,
                                 Cost most_cost, const ProofLimits& limits) {
  const int level = instance.n_levels() - 1;
  const Cost whole = instance.inside(instance.all());
  const GrowthGraph graph(instance.n, instance.weight);
  StepCount count{limits.most_steps / kLooksPerStep, limits.deadline};
  PartitionResult result;
  for (bool better = true; better && !count.exhausted;) {
    better = false;
    // cost = prices + factor * (whole - cut), and factors are negative.
    const Cost most_cut = whole + (most_cost - total(prices, instance.all())) / -instance.factor(level);
    SetGrowth growth(graph, count, [&](Subset half) {
      const Subset others = instance.all() & ~half;
      const Cost cost = nested.of(half, level) + nested.of(others, level);
      if (nested.steps() > limits.most_steps) count.exhausted = true;
      if (cost > most_cost) return count.exhausted;
      result.groups = {half, others};
      result.cost = cost;
      most_cost = cost - instance.grain;  // from now on only better ones
      return better = true;
    });
    (void)growth.run(Subset{1}, instance.all() & ~Subset{1}, instance.size[level], most_cut);
  }
  result.complete = !count.exhausted;
  return result;
}

}  // namespace corewise::proof
