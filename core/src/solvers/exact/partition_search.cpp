/// Depth first over the groups of the vertex that has fewest, prices raised anew for what is left.
#include "solvers/exact/partition_search.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "solvers/exact/set_growth.hpp"
#include "solvers/exact/subset_table.hpp"

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
  PartitionSearch(NestedCost& nested, const HopInstance& instance, const ProofLimits& limits)
      : nested_(nested), instance_(instance), root_(instance.kinds.back()), limits_(limits) {}

  PartitionResult run(std::vector<CostedSet> sets, Prices prices, Cost most_cost) {
    most_cost_ = most_cost;
    listed_.resize(instance_.kinds.size());
    for (const CostedSet& set : sets) listed_[set.kind].put(set.members, set.cost);
    for (CostedSet& set : sets) set.cost -= prices.of(set.members, set.kind);
    sort(sets);
    const Cost at_least = prices.of_all(instance_);
    descend({instance_.all(), ChildrenLeft(root_), std::move(sets), std::move(prices), 0, at_least});
    return std::move(result_);
  }

 private:
  using SetsByKind = std::vector<std::vector<CostedSet>>;  // [kind]: ascending

  /// What is left to partition.
  struct Rest {
    Subset vertices;
    ChildrenLeft left;
    std::vector<CostedSet> sets;  ///< all inside, of kinds that are left, costs net of prices, ascending
    Prices prices;                ///< hold for these sets
    Cost spent;                   ///< on the groups chosen so far
    Cost at_least;                ///< on the others: their prices
  };

  void descend(Rest rest) {
    if (!spend(rest.sets.size()) || !covered(rest)) return;
    raise(rest);
    const Cost slack = most_cost_ - rest.spent - rest.at_least;
    while (!rest.sets.empty() && rest.sets.back().cost > slack) rest.sets.pop_back();
    if (slack < 0 || !covered(rest)) return;
    if (rest.left.total() == 2) {  // the cheaper way to find both, if they are the whole partition
      take_pair(rest, sets_by_kind(rest));
      return;
    }
    const SetsByKind by_kind = rest.left.total() == 3 ? sets_by_kind(rest) : SetsByKind();
    for (const CostedSet& set : sets_of_rarest(rest)) {
      take(set, rest, by_kind);
      if (!result_.complete) return;
    }
  }

  void take(const CostedSet& set, const Rest& rest, const SetsByKind& by_kind) {
    const Cost price = rest.prices.of(set.members, set.kind);
    const Subset others = rest.vertices & ~set.members;
    const ChildrenLeft left = rest.left.without(child_of(set.kind));
    SubsetTable& exceeded = exceeded_[left.code()];
    Cost others_cost = rest.at_least - price;
    if (const Cost* known = exceeded.find(others)) others_cost = std::max(others_cost, *known);
    const Cost most_for_set = most_cost_ - rest.spent - others_cost;
    if (set.cost + price > most_for_set || !spend(1)) return;
    const Cost real = nested_.of(set.members, set.kind);
    if (real > most_for_set) return;
    Rest after{others, left, {}, rest.prices, rest.spent + real, rest.at_least - price};
    const Cost spent = after.spent;
    chosen_.push_back({set.kind, set.members});
    if (left.total() == 2) {
      take_pair(after, by_kind);
    } else {
      after.sets = sets_inside(others, left, rest.sets, most_cost_ - after.spent - after.at_least);
      descend(std::move(after));
    }
    chosen_.pop_back();
    if (result_.complete && n_remembered_ < kMostRemembered) {
      exceeded.put(others, most_cost_ - spent + 1);
      ++n_remembered_;
    }
  }

  /// Sets of kinds that are left, ascending as they were.
  std::vector<CostedSet> sets_inside(Subset vertices, ChildrenLeft left, const std::vector<CostedSet>& sets,
                                     Cost most_net) const {
    std::vector<CostedSet> inside;
    for (const CostedSet& set : sets) {
      if (set.cost > most_net) break;
      if ((set.members & ~vertices) == 0 && left.of(child_of(set.kind)) > 0) inside.push_back(set);
    }
    return inside;
  }

  SetsByKind sets_by_kind(const Rest& rest) const {
    SetsByKind by_kind(instance_.kinds.size());
    for (const CostedSet& set : rest.sets) by_kind[set.kind].push_back(set);
    return by_kind;
  }

  /// The last two groups: one is looked for among the sets of the kind that has fewer, the other is what
  /// remains.
  /// @param by_kind  sets in and around what is left, costs net of its prices, ascending.
  void take_pair(const Rest& rest, const SetsByKind& by_kind) {
    int kind = -1;
    for (std::size_t child = 0; child < root_.children.size(); ++child) {
      const int at = root_.children[child].first;
      if (rest.left.of(child) > 0 && (kind < 0 || by_kind[at].size() < by_kind[kind].size())) kind = at;
    }
    const int other_kind = only_kind(rest.left.without(child_of(kind)));
    const Subset within = other_kind == kind ? rest.vertices & -rest.vertices : 0;  // either may be the first
    if (!spend(by_kind[kind].size())) return;
    for (const CostedSet& set : by_kind[kind]) {
      if (set.cost > most_cost_ - rest.spent - rest.at_least) break;
      if ((set.members & ~rest.vertices) != 0 || (set.members & within) != within) continue;
      const Group other{other_kind, rest.vertices & ~set.members};
      const Cost* cost_of_other = listed_[other_kind].find(other.members);
      if (!cost_of_other) continue;
      const Cost most = most_cost_ - rest.spent - *cost_of_other;
      if (set.cost + rest.prices.of(set.members, kind) > most) continue;
      const Cost real = nested_.of(set.members, kind);
      if (real > most) continue;
      chosen_.push_back({kind, set.members});
      take_last(other, rest.spent + real);
      chosen_.pop_back();
      if (!spend(1)) return;
    }
  }

  /// Of one child.
  int only_kind(ChildrenLeft left) const {
    std::size_t child = 0;
    while (left.of(child) == 0) ++child;
    return root_.children[child].first;
  }

  void take_last(const Group& last, Cost spent) {
    const Cost cost = spent + nested_.of(last.members, last.kind);
    if (cost > most_cost_) return;
    result_.groups = chosen_;
    result_.groups.push_back(last);
    result_.cost = cost;
    most_cost_ = cost - instance_.grain;  // from now on only better ones
  }

  static bool covered(const Rest& rest) {
    Subset covered = 0;
    for (const CostedSet& set : rest.sets) covered |= set.members;
    return covered == rest.vertices;
  }

  void raise(Rest& rest) {
    const std::size_t rounds = std::min(kMostLooks / rest.sets.size(), kMostRounds);
    if (rounds < 2 || !spend(rounds * rest.sets.size())) return;
    std::vector<int> count(instance_.kinds.size(), 0);
    for (std::size_t child = 0; child < root_.children.size(); ++child)
      count[root_.children[child].first] = rest.left.of(child);
    const Cost enough = most_cost_ - rest.spent - rest.at_least;
    const Prices more =
        raise_prices([&](const Prices& at) { return cheapest_sets(rest.sets, at); },
                     Prices::nothing(instance_), {count, enough, static_cast<int>(rounds), limits_.deadline});
    rest.at_least += more.of(rest.vertices);
    for (std::size_t kind = 0; kind < count.size(); ++kind) {
      rest.at_least += count[kind] * more.of_kind[kind];
      rest.prices.of_kind[kind] += more.of_kind[kind];
    }
    for (int v = 0; v < instance_.n; ++v) rest.prices.of_vertex[v] += more.of_vertex[v];
    for (CostedSet& set : rest.sets) set.cost -= more.of(set.members, set.kind);
    sort(rest.sets);
  }

  static void sort(std::vector<CostedSet>& sets) {
    std::ranges::sort(sets, {},
                      [](const CostedSet& set) { return std::tuple(set.cost, set.members, set.kind); });
  }

  /// All sets for what has fewest of them, a vertex or a kind of which one group is left; cheapest net of
  /// prices first.
  std::vector<CostedSet> sets_of_rarest(const Rest& rest) const {
    std::array<std::size_t, 64> of_vertex{};
    std::vector<std::size_t> of_kind(instance_.kinds.size(), 0);
    for (const CostedSet& set : rest.sets) {
      for_each_vertex(set.members, [&](int v) { ++of_vertex[v]; });
      ++of_kind[set.kind];
    }
    int rarest = std::countr_zero(rest.vertices);
    for_each_vertex(rest.vertices, [&](int v) { rarest = of_vertex[v] < of_vertex[rarest] ? v : rarest; });
    std::size_t fewest = of_vertex[rarest];
    int only = -1;
    for (std::size_t child = 0; child < root_.children.size(); ++child) {
      const int kind = root_.children[child].first;
      if (rest.left.of(child) != 1 || of_kind[kind] >= fewest) continue;
      only = kind;
      fewest = of_kind[kind];
    }
    std::vector<CostedSet> sets;
    for (const CostedSet& set : rest.sets) {
      if (only >= 0 ? set.kind == only : (set.members >> rarest & 1) != 0) sets.push_back(set);
    }
    return sets;
  }

  /// Kinds of the top level follow one another.
  std::size_t child_of(int kind) const { return kind - root_.children.front().first; }

  bool spend(std::size_t looks) {
    steps_ += looks;
    if (steps_ + nested_.steps() > limits_.most_steps || limits_.deadline.passed()) result_.complete = false;
    return result_.complete;
  }

  NestedCost& nested_;
  const HopInstance& instance_;
  const Kind& root_;
  ProofLimits limits_;
  std::vector<Group> chosen_;
  Cost most_cost_ = 0;
  PartitionResult result_;
  std::map<std::uint64_t, SubsetTable>
      exceeded_;                     ///< [children left]: what was left once costs that at least
  std::vector<SubsetTable> listed_;  ///< [kind]: what each set costs at least
  std::size_t n_remembered_ = 0;
  std::uint64_t steps_ = 0;
};

}  // namespace

PartitionResult search_partition(NestedCost& nested, const HopInstance& instance, std::vector<CostedSet> sets,
                                 const Prices& prices, Cost most_cost, const ProofLimits& limits) {
  return PartitionSearch(nested, instance, limits).run(std::move(sets), prices, most_cost);
}

PartitionResult search_bisection(NestedCost& nested, const HopInstance& instance, const Prices& prices,
                                 Cost most_cost, const ProofLimits& limits) {
  const int level = instance.n_levels() - 1;
  const int one = instance.kinds.back().children.front().first;
  const int other = instance.kinds.back().children.back().first;
  const Cost whole = instance.inside(instance.all());
  const GrowthGraph graph(instance.n, instance.weight);
  StepCount count{limits.most_steps / kLooksPerStep, limits.deadline};
  PartitionResult result;
  for (bool better = true; better && !count.exhausted;) {
    better = false;
    // cost = prices + factor * (whole - cut), and factors are negative.
    const Cost most_cut = whole + (most_cost - prices.of_all(instance)) / -instance.factor(level);
    SetGrowth growth(graph, count, [&](Subset set) {
      const Subset others = instance.all() & ~set;
      const Cost cost = nested.of(set, one) + nested.of(others, other);
      if (nested.steps() > limits.most_steps) count.exhausted = true;
      if (cost > most_cost) return count.exhausted;
      result.groups = {{one, set}, {other, others}};
      result.cost = cost;
      most_cost = cost - instance.grain;  // from now on only better ones
      return better = true;
    });
    const Subset within = one == other ? 1 : 0;  // halves can be swapped
    (void)growth.run(within, instance.all() & ~within, instance.kinds[one].size, most_cut);
  }
  result.complete = !count.exhausted;
  return result;
}

}  // namespace corewise::proof
