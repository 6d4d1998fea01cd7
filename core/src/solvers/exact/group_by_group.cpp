/// Each search works on an instance of its own: the vertices that are left, numbered anew.
#include "solvers/exact/group_by_group.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "solvers/exact/column_prices.hpp"
#include "solvers/exact/set_growth.hpp"

namespace corewise::proof {
namespace {

constexpr std::size_t kMostSets = 20'000;
/// Their sets are listed to find out whose are fewest.
constexpr int kHeavyVertices = 3;
/// Prices and a list of sets take about as long as this many steps.
constexpr std::uint64_t kStepsPerSearch = 500'000;

/// An instance, with prices that hold.
struct Part {
  HopInstance instance;
  std::vector<Prices> prices;  ///< [level]
};

/// @param vertices  those that stay, ascending: without one group of the top level.
Part part_of(const Part& whole, const std::vector<int>& vertices) {
  Part part{whole.instance, {}};
  HopInstance& instance = part.instance;
  instance.n = static_cast<int>(vertices.size());
  instance.weight.clear();
  for (const int u : vertices) {
    for (const int v : vertices) instance.weight.push_back(whole.instance.between(u, v));
  }
  Kind& root = instance.kinds.back();
  int& n_groups = root.children.front().second;
  for (Kind& kind : instance.kinds) {
    if (kind.level < root.level) kind.count = kind.count / n_groups * (n_groups - 1);
  }
  root.size = instance.n;
  --n_groups;
  for (const Prices& of_level : whole.prices) {
    Prices& prices = part.prices.emplace_back(std::vector<Cost>{}, of_level.of_kind);
    for (const int v : vertices) prices.of_vertex.push_back(of_level.of_vertex[v]);
  }
  return part;
}

Cost floor_of(Cost dividend, Cost divisor) {
  return dividend >= 0 ? dividend / divisor : -((divisor - 1 - dividend) / divisor);
}

/// Vertices that can change places without anyone noticing get the mean of their prices. That holds as well:
/// it is the mean over all ways to change them.
void even_out(Part& part) {
  const GrowthGraph graph(part.instance.n, part.instance.weight);
  for (Prices& prices : part.prices) {
    const Prices uneven = prices;
    for (int v = 0; v < part.instance.n; ++v) {
      const Subset twins = graph.twins(v);
      prices.of_vertex[v] = floor_of(uneven.of(twins), std::popcount(twins));
    }
  }
}

class GroupByGroup {
 public:
  /// @param steps  counted on; shared by all parts of a search.
  GroupByGroup(Part part, Cost most_cost, const ProofLimits& limits, std::uint64_t& steps)
      : part_(std::move(part)),
        instance_(part_.instance),
        top_(instance_.n_levels() - 1),
        kind_(instance_.kinds.back().children.front().first),
        n_groups_(instance_.kinds.back().children.front().second),
        most_cost_(most_cost),
        limits_(limits),
        steps_(steps),
        nested_(instance_, part_.prices) {}

  PartitionResult run() {
    if (n_groups_ == 2) {
      PartitionResult halves =
          search_bisection(nested_, instance_, part_.prices[top_ - 1], most_cost_, limits_);
      steps_ += nested_.steps();
      return halves;
    }
    even_out(part_);
    at_least_ = part_.prices[top_].of_all(instance_);
    if (at_least_ > most_cost_) return {};
    for (const CostedSet& set : first_groups()) {
      if (result_.complete) take(set.members);
    }
    steps_ += nested_.steps();
    return std::move(result_);
  }

 private:
  [[nodiscard]] const Prices& prices() const { return part_.prices[top_]; }
  [[nodiscard]] GroupFamily family() const {
    return {instance_, top_, instance_.factor(top_), part_.prices[top_ - 1]};
  }
  /// By how much a first group may exceed its prices.
  [[nodiscard]] Cost spare() const { return (most_cost_ - at_least_) / sharers_; }

  /// Those nearest to their prices first; the search is incomplete where they are too many.
  std::vector<CostedSet> first_groups() {
    std::vector<CostedSet> fewest;
    std::size_t most = kMostSets;
    result_.complete = false;
    const auto list = [&](Subset within, int sharers) {
      std::vector<CostedSet> sets;
      const SetList wanted{(most_cost_ - at_least_) / sharers, most, within, true};
      if (!grow_sets(family(), prices(), wanted, limits_, sets)) return;
      most = sets.size();
      sharers_ = sharers;
      fewest = std::move(sets);
      result_.complete = true;
    };
    for (const int v : heavy_vertices()) list(Subset{1} << v, 1);
    list(0, n_groups_);
    for (CostedSet& set : fewest) set.cost -= prices().of(set.members, kind_);
    std::ranges::sort(fewest, {}, [](const CostedSet& set) { return std::tuple(set.cost, set.members); });
    return fewest;
  }

  [[nodiscard]] std::vector<int> heavy_vertices() const {
    std::vector<std::pair<Cost, int>> vertices;
    for (int v = 0; v < instance_.n; ++v) {
      Cost weight = 0;
      for (int u = 0; u < instance_.n; ++u) weight += std::abs(instance_.between(u, v));
      vertices.emplace_back(-weight, v);
    }
    std::ranges::sort(vertices);
    std::vector<int> heaviest;
    for (int i = 0; i < std::min(kHeavyVertices, instance_.n); ++i) heaviest.push_back(vertices[i].second);
    return heaviest;
  }

  void take(Subset group) {
    steps_ += kStepsPerSearch;
    if (steps_ + nested_.steps() > limits_.most_steps || limits_.deadline.passed()) result_.complete = false;
    const Cost cost = nested_.of(group, kind_);
    if (!result_.complete || cost - prices().of(group, kind_) > spare()) return;
    std::vector<int> others;
    for_each_vertex(instance_.all() & ~group, [&](int v) { others.push_back(v); });
    Part rest = part_of(part_, others);
    if (n_groups_ > 3) raise(rest, most_cost_ - cost);
    const PartitionResult found = GroupByGroup(std::move(rest), most_cost_ - cost, limits_, steps_).run();
    result_.complete = found.complete;
    if (found.groups.empty()) return;
    result_.groups = {{kind_, group}};
    for (const auto& [kind, members] : found.groups) {
      Subset in_whole = 0;
      for_each_vertex(members, [&](int v) { in_whole |= Subset{1} << others[v]; });
      result_.groups.push_back({kind, in_whole});
    }
    result_.cost = cost + found.cost;
    most_cost_ = result_.cost - instance_.grain;  // from now on only better ones
  }

  void raise(Part& rest, Cost most_cost) const {
    const GroupFamily groups{rest.instance, top_, instance_.factor(top_), rest.prices[top_ - 1]};
    const int size = groups.size(kind_);
    std::vector<Group> any;
    for (int first = 0; first < rest.instance.n; first += size)
      any.push_back({kind_, ((Subset{1} << size) - 1) << first});
    rest.prices[top_] = column_prices(groups, rest.prices[top_], any, most_cost, limits_);
  }

  Part part_;
  const HopInstance& instance_;
  int top_;
  int kind_;  ///< of the groups
  int n_groups_;
  Cost most_cost_;
  Cost at_least_ = 0;  ///< all prices
  int sharers_ = 1;    ///< of what there is to spare
  ProofLimits limits_;
  std::uint64_t& steps_;
  NestedCost nested_;
  PartitionResult result_;
};

}  // namespace

PartitionResult search_group_by_group(const HopInstance& instance, const std::vector<Prices>& prices,
                                      Cost most_cost, const ProofLimits& limits) {
  std::uint64_t steps = 0;
  return GroupByGroup({instance, prices}, most_cost, limits, steps).run();
}

}  // namespace corewise::proof
