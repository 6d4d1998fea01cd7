/// branch_and_price(): each node of the search tree has an instance of its own, of the vertices that are
/// left.
#include "solvers/exact/branch_and_price.hpp"

#include <algorithm>
#include <cstdlib>
#include <tuple>
#include <utility>

#include "solvers/exact/bisection_search.hpp"
#include "solvers/exact/column_generation.hpp"
#include "solvers/exact/cut_search.hpp"
#include "solvers/exact/nested_cost.hpp"

namespace corewise::exact {
namespace {

constexpr std::size_t kMostBranches = 20'000;
/// Of the vertices with most traffic so many are tried, to branch on the one with fewest columns.
constexpr int kBranchingVertices = 3;

/// An instance with feasible duals.
struct Subproblem {
  HopInstance instance;
  std::vector<Duals> duals;  ///< [level]
};

/// The problem without one group of the top level.
/// @param vertices  those that stay, ascending; they are numbered anew.
Subproblem subproblem(const Subproblem& whole, const std::vector<int>& vertices) {
  Subproblem part{whole.instance, {}};
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

/// Gives interchangeable vertices the mean of their duals, which is feasible as well: the mean over all ways
/// to exchange them. With equal duals CutSearch can use the symmetry.
void average_over_symmetry(Subproblem& part) {
  const CutGraph graph(part.instance.n, part.instance.weight);
  for (Duals& duals : part.duals) {
    const Duals before = duals;
    for (int v = 0; v < part.instance.n; ++v) {
      const Subset alike = graph.interchangeable(v);
      duals.of_vertex[v] = floor_divide(before.of(alike), std::popcount(alike));
    }
  }
}

/// A node of the search tree.
class BranchAndPrice {
 public:
  /// @param steps  shared by all nodes.
  BranchAndPrice(Subproblem part, Cost most_cost, const ProofLimits& limits, std::uint64_t& steps)
      : part_(std::move(part)),
        instance_(part_.instance),
        top_(instance_.n_levels() - 1),
        class_id_(instance_.classes.back().children.front().first),
        n_groups_(instance_.classes.back().children.front().second),
        incumbent_(most_cost, instance_.granularity),
        limits_(limits),
        steps_(steps),
        nested_(instance_, part_.duals) {}

  PartitionResult run() {
    if (n_groups_ == 2) {
      PartitionResult found =
          search_bisection(nested_, instance_, part_.duals[top_ - 1], incumbent_.most_cost(), limits_);
      steps_ += nested_.steps();
      return found;
    }
    average_over_symmetry(part_);
    at_least_ = duals().objective(instance_);
    if (at_least_ > incumbent_.most_cost()) return {};
    for (const Column& column : branches()) {
      if (incumbent_.result.complete) take(column.members);
    }
    steps_ += nested_.steps();
    return std::move(incumbent_.result);
  }

 private:
  [[nodiscard]] const Duals& duals() const { return part_.duals[top_]; }
  /// @param n_sharing  groups whose least reduced cost is meant.
  [[nodiscard]] Cost slack(int n_sharing) const { return (incumbent_.most_cost() - at_least_) / n_sharing; }

  static SetPartitioning top_level(const Subproblem& part, int top) {
    return {part.instance, top, part.instance.factor(top), part.duals[top - 1]};
  }

  /// Least reduced cost first; the search is incomplete where they are too many.
  std::vector<Column> branches() {
    std::vector<Column> fewest;
    std::size_t most = kMostBranches;
    incumbent_.result.complete = false;
    const auto list = [&](Subset within, int n_sharing) {
      std::vector<Column> columns;
      const ColumnQuery query{slack(n_sharing), most, within, true};
      if (!search_columns(top_level(part_, top_), duals(), query, limits_, columns)) return;
      most = columns.size();
      n_sharing_ = n_sharing;
      fewest = std::move(columns);
      incumbent_.result.complete = true;
    };
    for (const int v : vertices_by_traffic()) list(Subset{1} << v, 1);
    list(0, n_groups_);
    for (Column& column : fewest) column.cost -= duals().of(column.members, class_id_);
    std::ranges::sort(fewest, {},
                      [](const Column& column) { return std::tuple(column.cost, column.members); });
    return fewest;
  }

  [[nodiscard]] std::vector<int> vertices_by_traffic() const {
    std::vector<std::pair<Cost, int>> vertices;
    for (int v = 0; v < instance_.n; ++v) {
      Cost weight = 0;
      for (int u = 0; u < instance_.n; ++u) weight += std::abs(instance_.between(u, v));
      vertices.emplace_back(-weight, v);
    }
    std::ranges::sort(vertices);
    std::vector<int> heaviest;
    for (int i = 0; i < std::min(kBranchingVertices, instance_.n); ++i)
      heaviest.push_back(vertices[i].second);
    return heaviest;
  }

  void take(Subset group) {
    steps_ += kSetsPerSubproblem;
    if (steps_ + nested_.steps() > limits_.most_steps || limits_.deadline.passed())
      incumbent_.result.complete = false;
    const Cost cost = nested_.of(group, class_id_);
    if (!incumbent_.result.complete || cost - duals().of(group, class_id_) > slack(n_sharing_)) return;
    std::vector<int> others;
    for_each_vertex(instance_.all() & ~group, [&](int v) { others.push_back(v); });
    const Cost most_for_others = incumbent_.most_cost() - cost;
    Subproblem rest = subproblem(part_, others);
    if (n_groups_ > 3) raise_duals(rest, most_for_others);
    const PartitionResult found = BranchAndPrice(std::move(rest), most_for_others, limits_, steps_).run();
    incumbent_.result.complete = found.complete;
    if (found.groups.empty()) return;
    std::vector<VertexGroup> groups{{class_id_, group}};
    for (const auto& [class_id, members] : found.groups) {
      Subset in_whole = 0;
      for_each_vertex(members, [&](int v) { in_whole |= Subset{1} << others[v]; });
      groups.push_back({class_id, in_whole});
    }
    incumbent_.offer(groups, cost + found.cost);
  }

  void raise_duals(Subproblem& rest, Cost target) const {
    const SetPartitioning problem = top_level(rest, top_);
    const int size = problem.size(class_id_);
    std::vector<VertexGroup> any_partition;
    for (int first = 0; first < rest.instance.n; first += size)
      any_partition.push_back({class_id_, first_vertices(size) << first});
    rest.duals[top_] = generate_by_search(problem, rest.duals[top_], any_partition, target, limits_);
  }

  Subproblem part_;
  const HopInstance& instance_;
  int top_;
  int class_id_;  ///< of the groups
  int n_groups_;
  Incumbent incumbent_;
  Cost at_least_ = 0;  ///< the dual objective
  int n_sharing_ = 1;  ///< as of slack(), for the columns branched on
  ProofLimits limits_;
  std::uint64_t& steps_;
  NestedCost nested_;
};

}  // namespace

PartitionResult branch_and_price(const HopInstance& instance, const std::vector<Duals>& duals, Cost most_cost,
                                 const ProofLimits& limits) {
  std::uint64_t steps = 0;
  return BranchAndPrice({instance, duals}, most_cost, limits, steps).run();
}

}  // namespace corewise::exact
