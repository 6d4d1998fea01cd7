/// Each search works on an instance of its own: the vertices that are left, numbered anew.
#include "solvers/exact/branch_and_price.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "solvers/exact/column_generation.hpp"
#include "solvers/exact/subset_enumeration.hpp"

namespace corewise::exact {
namespace {

constexpr std::size_t kMostSets = 20'000;
/// Their sets are listed to find out whose are fewest.
constexpr int kHeavyVertices = 3;
/// Duals and a list of sets take about as long as this many steps.
constexpr std::uint64_t kStepsPerSearch = 500'000;

/// An instance, with duals that hold.
struct Part {
  HopInstance instance;
  std::vector<Duals> duals;  ///< [level]
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
  IsomorphismClass& root = instance.classes.back();
  int& n_groups = root.children.front().second;
  for (IsomorphismClass& each : instance.classes) {
    if (each.level < root.level) each.count = each.count / n_groups * (n_groups - 1);
  }
  root.size = instance.n;
  --n_groups;
  for (const Duals& of_level : whole.duals) {
    Duals& duals = part.duals.emplace_back(std::vector<Cost>{}, of_level.of_class);
    for (const int v : vertices) duals.of_vertex.push_back(of_level.of_vertex[v]);
  }
  return part;
}

Cost floor_of(Cost dividend, Cost divisor) {
  return dividend >= 0 ? dividend / divisor : -((divisor - 1 - dividend) / divisor);
}

/// Vertices that can change places without anyone noticing get the mean of their duals. That holds as well:
/// it is the mean over all ways to change them.
void average_over_symmetry(Part& part) {
  const CutGraph graph(part.instance.n, part.instance.weight);
  for (Duals& duals : part.duals) {
    const Duals uneven = duals;
    for (int v = 0; v < part.instance.n; ++v) {
      const Subset interchangeable = graph.interchangeable(v);
      duals.of_vertex[v] = floor_of(uneven.of(interchangeable), std::popcount(interchangeable));
    }
  }
}

class BranchAndPrice {
 public:
  /// @param steps  counted on; shared by all parts of a search.
  BranchAndPrice(Part part, Cost most_cost, const ProofLimits& limits, std::uint64_t& steps)
      : part_(std::move(part)),
        instance_(part_.instance),
        top_(instance_.n_levels() - 1),
        class_id_(instance_.classes.back().children.front().first),
        n_groups_(instance_.classes.back().children.front().second),
        most_cost_(most_cost),
        limits_(limits),
        steps_(steps),
        nested_(instance_, part_.duals) {}

  PartitionResult run() {
    if (n_groups_ == 2) {
      PartitionResult min_bisection =
          search_bisection(nested_, instance_, part_.duals[top_ - 1], most_cost_, limits_);
      steps_ += nested_.steps();
      return min_bisection;
    }
    average_over_symmetry(part_);
    at_least_ = part_.duals[top_].of_all(instance_);
    if (at_least_ > most_cost_) return {};
    for (const Column& set : first_groups()) {
      if (result_.complete) take(set.members);
    }
    steps_ += nested_.steps();
    return std::move(result_);
  }

 private:
  [[nodiscard]] const Duals& duals() const { return part_.duals[top_]; }
  [[nodiscard]] SetPartitioning partitioning() const {
    return {instance_, top_, instance_.factor(top_), part_.duals[top_ - 1]};
  }
  /// By how much a first group may exceed its duals.
  [[nodiscard]] Cost slack_of_first() const { return (most_cost_ - at_least_) / n_sharing_; }

  /// Those nearest to their duals first; the search is incomplete where they are too many.
  std::vector<Column> first_groups() {
    std::vector<Column> fewest;
    std::size_t most = kMostSets;
    result_.complete = false;
    const auto list = [&](Subset within, int n_sharing) {
      std::vector<Column> sets;
      const SetList wanted{(most_cost_ - at_least_) / n_sharing, most, within, true};
      if (!search_columns(partitioning(), duals(), wanted, limits_, sets)) return;
      most = sets.size();
      n_sharing_ = n_sharing;
      fewest = std::move(sets);
      result_.complete = true;
    };
    for (const int v : heavy_vertices()) list(Subset{1} << v, 1);
    list(0, n_groups_);
    for (Column& set : fewest) set.cost -= duals().of(set.members, class_id_);
    std::ranges::sort(fewest, {}, [](const Column& set) { return std::tuple(set.cost, set.members); });
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
    const Cost cost = nested_.of(group, class_id_);
    if (!result_.complete || cost - duals().of(group, class_id_) > slack_of_first()) return;
    std::vector<int> others;
    for_each_vertex(instance_.all() & ~group, [&](int v) { others.push_back(v); });
    Part rest = part_of(part_, others);
    if (n_groups_ > 3) raise_duals(rest, most_cost_ - cost);
    const PartitionResult found = BranchAndPrice(std::move(rest), most_cost_ - cost, limits_, steps_).run();
    result_.complete = found.complete;
    if (found.groups.empty()) return;
    result_.groups = {{class_id_, group}};
    for (const auto& [class_id, members] : found.groups) {
      Subset in_whole = 0;
      for_each_vertex(members, [&](int v) { in_whole |= Subset{1} << others[v]; });
      result_.groups.push_back({class_id, in_whole});
    }
    result_.cost = cost + found.cost;
    most_cost_ = result_.cost - instance_.granularity;  // from now on only better ones
  }

  void raise_duals(Part& rest, Cost most_cost) const {
    const SetPartitioning groups{rest.instance, top_, instance_.factor(top_), rest.duals[top_ - 1]};
    const int size = groups.size(class_id_);
    std::vector<VertexGroup> any;
    for (int first = 0; first < rest.instance.n; first += size)
      any.push_back({class_id_, ((Subset{1} << size) - 1) << first});
    rest.duals[top_] = column_generation(groups, rest.duals[top_], any, most_cost, limits_);
  }

  Part part_;
  const HopInstance& instance_;
  int top_;
  int class_id_;  ///< of the groups
  int n_groups_;
  Cost most_cost_;
  Cost at_least_ = 0;  ///< all duals
  int n_sharing_ = 1;  ///< of what there is to spare
  ProofLimits limits_;
  std::uint64_t& steps_;
  NestedCost nested_;
  PartitionResult result_;
};

}  // namespace

PartitionResult branch_and_price(const HopInstance& instance, const std::vector<Duals>& duals, Cost most_cost,
                                 const ProofLimits& limits) {
  std::uint64_t steps = 0;
  return BranchAndPrice({instance, duals}, most_cost, limits, steps).run();
}

}  // namespace corewise::exact
