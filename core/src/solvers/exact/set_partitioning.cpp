/// Depth first over the groups of the vertex that has fewest, duals raised anew for what is left.
#include "solvers/exact/set_partitioning.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "solvers/exact/subset_enumeration.hpp"
#include "solvers/exact/subset_table.hpp"

namespace corewise::exact {
namespace {

/// Duals are raised anew for what is left as long as that takes less than looking at this many sets.
constexpr std::size_t kMostSetsOfAscent = 3'000'000;
constexpr std::size_t kMostRounds = 40;
/// Of what was left: about 128 MB.
constexpr std::size_t kMostRemembered = 4'000'000;
/// A step of growth takes about as long as looking at this many sets one after the other.
constexpr std::uint64_t kSetsPerStep = 16;

class PartitioningSearch {
 public:
  PartitioningSearch(NestedCost& nested, const HopInstance& instance, const ProofLimits& limits)
      : nested_(nested), instance_(instance), root_(instance.classes.back()), limits_(limits) {}

  PartitionResult run(std::vector<Column> sets, Duals duals, Cost most_cost) {
    most_cost_ = most_cost;
    listed_.resize(instance_.classes.size());
    for (const Column& set : sets) listed_[set.class_id].put(set.members, set.cost);
    for (Column& set : sets) set.cost -= duals.of(set.members, set.class_id);
    sort(sets);
    const Cost at_least = duals.of_all(instance_);
    descend({instance_.all(), ChildrenLeft(root_), std::move(sets), std::move(duals), 0, at_least});
    return std::move(result_);
  }

 private:
  using ColumnsByClass = std::vector<std::vector<Column>>;  // [class]: ascending

  /// What is left to partition.
  struct Rest {
    Subset vertices;
    ChildrenLeft left;
    std::vector<Column> sets;  ///< all inside, of classes that are left, costs net of duals, ascending
    Duals duals;               ///< hold for these sets
    Cost spent;                ///< on the groups chosen so far
    Cost at_least;             ///< on the others: their duals
  };

  void descend(Rest rest) {
    if (!spend(rest.sets.size()) || !covered(rest)) return;
    raise_duals(rest);
    const Cost slack = most_cost_ - rest.spent - rest.at_least;
    while (!rest.sets.empty() && rest.sets.back().cost > slack) rest.sets.pop_back();
    if (slack < 0 || !covered(rest)) return;
    if (rest.left.total() == 2) {  // the cheaper way to find both, if they are the whole partition
      take_pair(rest, columns_by_class(rest));
      return;
    }
    const ColumnsByClass by_class = rest.left.total() == 3 ? columns_by_class(rest) : ColumnsByClass();
    for (const Column& set : sets_of_rarest(rest)) {
      take(set, rest, by_class);
      if (!result_.complete) return;
    }
  }

  void take(const Column& set, const Rest& rest, const ColumnsByClass& by_class) {
    const Cost dual = rest.duals.of(set.members, set.class_id);
    const Subset others = rest.vertices & ~set.members;
    const ChildrenLeft left = rest.left.without(child_of(set.class_id));
    SubsetTable& exceeded = exceeded_[left.code()];
    Cost others_cost = rest.at_least - dual;
    if (const Cost* known = exceeded.find(others)) others_cost = std::max(others_cost, *known);
    const Cost most_for_set = most_cost_ - rest.spent - others_cost;
    if (set.cost + dual > most_for_set || !spend(1)) return;
    const Cost real = nested_.of(set.members, set.class_id);
    if (real > most_for_set) return;
    Rest after{others, left, {}, rest.duals, rest.spent + real, rest.at_least - dual};
    const Cost spent = after.spent;
    chosen_.push_back({set.class_id, set.members});
    if (left.total() == 2) {
      take_pair(after, by_class);
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

  /// Sets of classes that are left, ascending as they were.
  std::vector<Column> sets_inside(Subset vertices, ChildrenLeft left, const std::vector<Column>& sets,
                                  Cost most_reduced_cost) const {
    std::vector<Column> inside;
    for (const Column& set : sets) {
      if (set.cost > most_reduced_cost) break;
      if ((set.members & ~vertices) == 0 && left.of(child_of(set.class_id)) > 0) inside.push_back(set);
    }
    return inside;
  }

  ColumnsByClass columns_by_class(const Rest& rest) const {
    ColumnsByClass by_class(instance_.classes.size());
    for (const Column& set : rest.sets) by_class[set.class_id].push_back(set);
    return by_class;
  }

  /// The last two groups: one is looked for among the sets of the class that has fewer, the other is what
  /// remains.
  /// @param by_class  sets in and around what is left, costs net of its duals, ascending.
  void take_pair(const Rest& rest, const ColumnsByClass& by_class) {
    int class_id = -1;
    for (std::size_t child = 0; child < root_.children.size(); ++child) {
      const int at = root_.children[child].first;
      if (rest.left.of(child) > 0 && (class_id < 0 || by_class[at].size() < by_class[class_id].size()))
        class_id = at;
    }
    const int other_class = only_class(rest.left.without(child_of(class_id)));
    const Subset within =
        other_class == class_id ? rest.vertices & -rest.vertices : 0;  // either may be the first
    if (!spend(by_class[class_id].size())) return;
    for (const Column& set : by_class[class_id]) {
      if (set.cost > most_cost_ - rest.spent - rest.at_least) break;
      if ((set.members & ~rest.vertices) != 0 || (set.members & within) != within) continue;
      const VertexGroup other{other_class, rest.vertices & ~set.members};
      const Cost* cost_of_other = listed_[other_class].find(other.members);
      if (!cost_of_other) continue;
      const Cost most = most_cost_ - rest.spent - *cost_of_other;
      if (set.cost + rest.duals.of(set.members, class_id) > most) continue;
      const Cost real = nested_.of(set.members, class_id);
      if (real > most) continue;
      chosen_.push_back({class_id, set.members});
      take_last(other, rest.spent + real);
      chosen_.pop_back();
      if (!spend(1)) return;
    }
  }

  /// Of one child.
  int only_class(ChildrenLeft left) const {
    std::size_t child = 0;
    while (left.of(child) == 0) ++child;
    return root_.children[child].first;
  }

  void take_last(const VertexGroup& last, Cost spent) {
    const Cost cost = spent + nested_.of(last.members, last.class_id);
    if (cost > most_cost_) return;
    result_.groups = chosen_;
    result_.groups.push_back(last);
    result_.cost = cost;
    most_cost_ = cost - instance_.granularity;  // from now on only better ones
  }

  static bool covered(const Rest& rest) {
    Subset covered = 0;
    for (const Column& set : rest.sets) covered |= set.members;
    return covered == rest.vertices;
  }

  void raise_duals(Rest& rest) {
    const std::size_t rounds = std::min(kMostSetsOfAscent / rest.sets.size(), kMostRounds);
    if (rounds < 2 || !spend(rounds * rest.sets.size())) return;
    std::vector<int> count(instance_.classes.size(), 0);
    for (std::size_t child = 0; child < root_.children.size(); ++child)
      count[root_.children[child].first] = rest.left.of(child);
    const Cost enough = most_cost_ - rest.spent - rest.at_least;
    const Duals more = subgradient_ascent([&](const Duals& at) { return price_all_sets(rest.sets, at); },
                                          Duals::nothing(instance_),
                                          {count, enough, static_cast<int>(rounds), limits_.deadline});
    rest.at_least += more.of(rest.vertices);
    for (std::size_t class_id = 0; class_id < count.size(); ++class_id) {
      rest.at_least += count[class_id] * more.of_class[class_id];
      rest.duals.of_class[class_id] += more.of_class[class_id];
    }
    for (int v = 0; v < instance_.n; ++v) rest.duals.of_vertex[v] += more.of_vertex[v];
    for (Column& set : rest.sets) set.cost -= more.of(set.members, set.class_id);
    sort(rest.sets);
  }

  static void sort(std::vector<Column>& sets) {
    std::ranges::sort(sets, {},
                      [](const Column& set) { return std::tuple(set.cost, set.members, set.class_id); });
  }

  /// All sets for what has fewest of them, a vertex or a class of which one group is left; cheapest net of
  /// duals first.
  std::vector<Column> sets_of_rarest(const Rest& rest) const {
    std::array<std::size_t, 64> of_vertex{};
    std::vector<std::size_t> of_class(instance_.classes.size(), 0);
    for (const Column& set : rest.sets) {
      for_each_vertex(set.members, [&](int v) { ++of_vertex[v]; });
      ++of_class[set.class_id];
    }
    int rarest = std::countr_zero(rest.vertices);
    for_each_vertex(rest.vertices, [&](int v) { rarest = of_vertex[v] < of_vertex[rarest] ? v : rarest; });
    std::size_t fewest = of_vertex[rarest];
    int only = -1;
    for (std::size_t child = 0; child < root_.children.size(); ++child) {
      const int class_id = root_.children[child].first;
      if (rest.left.of(child) != 1 || of_class[class_id] >= fewest) continue;
      only = class_id;
      fewest = of_class[class_id];
    }
    std::vector<Column> sets;
    for (const Column& set : rest.sets) {
      if (only >= 0 ? set.class_id == only : (set.members >> rarest & 1) != 0) sets.push_back(set);
    }
    return sets;
  }

  /// Classes of the top level follow one another.
  std::size_t child_of(int class_id) const { return class_id - root_.children.front().first; }

  bool spend(std::size_t sets) {
    steps_ += sets;
    if (steps_ + nested_.steps() > limits_.most_steps || limits_.deadline.passed()) result_.complete = false;
    return result_.complete;
  }

  NestedCost& nested_;
  const HopInstance& instance_;
  const IsomorphismClass& root_;
  ProofLimits limits_;
  std::vector<VertexGroup> chosen_;
  Cost most_cost_ = 0;
  PartitionResult result_;
  std::map<std::uint64_t, SubsetTable>
      exceeded_;                     ///< [children left]: what was left once costs that at least
  std::vector<SubsetTable> listed_;  ///< [class]: what each set costs at least
  std::size_t n_remembered_ = 0;
  std::uint64_t steps_ = 0;
};

}  // namespace

PartitionResult solve_set_partitioning(NestedCost& nested, const HopInstance& instance,
                                       std::vector<Column> sets, const Duals& duals, Cost most_cost,
                                       const ProofLimits& limits) {
  return PartitioningSearch(nested, instance, limits).run(std::move(sets), duals, most_cost);
}

PartitionResult search_bisection(NestedCost& nested, const HopInstance& instance, const Duals& duals,
                                 Cost most_cost, const ProofLimits& limits) {
  const int level = instance.n_levels() - 1;
  const int one = instance.classes.back().children.front().first;
  const int other = instance.classes.back().children.back().first;
  const Cost whole = instance.inside(instance.all());
  const CutGraph graph(instance.n, instance.weight);
  StepBudget count{limits.most_steps / kSetsPerStep, limits.deadline};
  PartitionResult result;
  for (bool better = true; better && !count.exhausted;) {
    better = false;
    // cost = duals + factor * (whole - cut), and factors are negative.
    const Cost most_cut = whole + (most_cost - duals.of_all(instance)) / -instance.factor(level);
    SubsetEnumeration enumeration(graph, count, [&](Subset set) {
      const Subset others = instance.all() & ~set;
      const Cost cost = nested.of(set, one) + nested.of(others, other);
      if (nested.steps() > limits.most_steps) count.exhausted = true;
      if (cost > most_cost) return count.exhausted;
      result.groups = {{one, set}, {other, others}};
      result.cost = cost;
      most_cost = cost - instance.granularity;  // from now on only better ones
      return better = true;
    });
    const Subset within = one == other ? 1 : 0;  // halves can be swapped
    (void)enumeration.run(within, instance.all() & ~within, instance.classes[one].size, most_cut);
  }
  result.complete = !count.exhausted;
  return result;
}

}  // namespace corewise::exact
