/// Column generation: the restricted master, both loops, and reduced costs as CutSearch adds them up.
#include "solvers/exact/column_generation.hpp"

#include <algorithm>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "solvers/exact/cut_search.hpp"

namespace corewise::exact {
namespace {

/// Of generate_by_enumeration().
constexpr int kAscentsPerPricing = 100;
/// It ends where the master's duals promise a smaller rise: in bytes, or as a part of what is still missing.
constexpr Cost kLeastRise = kCostScale / 16;
constexpr Cost kLeastPart = 8;  // an eighth

/// Of generate_by_search().
constexpr int kMostRounds = 120;
constexpr int kAscentsPerRound = 60;
constexpr std::size_t kNewColumnsPerVertex = 20;
constexpr std::size_t kMostColumnsOfMaster = 12'000;

/// The columns that a column generation has found so far.
class RestrictedMaster {
 public:
  /// @param groups  a partition into groups of the problem: its columns stay for good.
  RestrictedMaster(const SetPartitioning& problem, const std::vector<VertexGroup>& groups)
      : problem_(problem), groups_(groups), known_(problem.instance.classes.size()) {
    for (const VertexGroup& group : groups) add(group);
  }

  /// Columns that are there already are not added again.
  void add(const VertexGroup& group) {
    const auto& [class_id, members] = group;
    if (known_[class_id].insert(members).second)
      columns_.push_back({members, problem_.cost(members, class_id), class_id});
  }

  /// Adds all groups that differ from one of the partition by one member.
  void add_neighbours_of_partition() {
    for (const auto& [class_id, members] : groups_) {
      for_each_vertex(members, [&](int out) {
        for_each_vertex(problem_.instance.all() & ~members,
                        [&](int in) { add({class_id, (members & ~(Subset{1} << out)) | Subset{1} << in}); });
      });
    }
  }

  /// Keeps the partition and the `count` columns of least reduced cost.
  void keep_least_reduced_costs(const Duals& duals, std::size_t count) {
    std::ranges::sort(columns_, {}, [&](const Column& column) {
      return std::tuple(column.cost - duals.of(column.members, column.class_id), column.members,
                        column.class_id);
    });
    columns_.resize(std::min(count, columns_.size()));
    for (auto& members : known_) members.clear();
    for (const Column& column : columns_) known_[column.class_id].insert(column.members);
    for (const VertexGroup& group : groups_) add(group);
  }

  [[nodiscard]] std::size_t size() const { return columns_.size(); }
  [[nodiscard]] Pricing price(const Duals& duals) const { return price_columns(columns_, duals); }

 private:
  const SetPartitioning& problem_;
  const std::vector<VertexGroup>& groups_;
  std::vector<Column> columns_;
  std::vector<std::unordered_set<Subset>> known_;  ///< [class]: members of the columns
};

Duals half_way(const Duals& from, const Duals& to) {
  const auto middle = [](Cost a, Cost b) { return a + (b - a) / 2; };
  Duals result = from;
  std::ranges::transform(from.of_vertex, to.of_vertex, result.of_vertex.begin(), middle);
  std::ranges::transform(from.of_class, to.of_class, result.of_class.begin(), middle);
  return result;
}

/// Each class takes over its least reduced cost where that is negative: then the duals are feasible.
void lower_classes(const Pricing& negative, Duals& duals) {
  for (std::size_t class_id = 0; class_id < duals.of_class.size(); ++class_id)
    duals.of_class[class_id] += std::min<Cost>(0, negative.least[class_id]);
}

/// A graph in which a set's cut is its reduced cost, but for its class: cost(S) = base + sum of vertex costs
/// - half the factor times the cut.
class ReducedCostGraph {
 public:
  explicit ReducedCostGraph(const SetPartitioning& problem)
      : graph_(problem.instance.n, scaled(problem)), at_zero_duals_(problem.below.of_vertex) {
    for (int v = 0; v < problem.instance.n; ++v)
      at_zero_duals_[v] += problem.factor / 2 * problem.instance.cut(Subset{1} << v);
  }

  CutGraph& at(const Duals& duals) {
    std::vector<Cost> vertex_costs = at_zero_duals_;
    for (std::size_t v = 0; v < vertex_costs.size(); ++v) vertex_costs[v] -= duals.of_vertex[v];
    graph_.set_vertex_costs(std::move(vertex_costs));
    return graph_;
  }

 private:
  static std::vector<Cost> scaled(const SetPartitioning& problem) {
    std::vector<Cost> weight = problem.instance.weight;
    for (Cost& w : weight) w *= -problem.factor / 2;
    return weight;
  }

  CutGraph graph_;
  std::vector<Cost> at_zero_duals_;
};

class GenerationBySearch {
 public:
  GenerationBySearch(const SetPartitioning& problem, const std::vector<VertexGroup>& groups, Cost target,
                     const ProofLimits& limits)
      : problem_(problem),
        target_(target),
        limits_(limits),
        reduced_cost_(problem),
        budget_(limits.most_steps / kSetsPerCutStep, limits.deadline),
        master_(problem, groups) {}

  Duals run(const Duals& start) {
    Duals duals = start;
    for (int round = 0; round < kMostRounds; ++round) {
      duals =
          subgradient_ascent([&](const Duals& at) { return master_.price(at); }, feasible_on_master(duals),
                             {problem_.instance.counts(), target_, kAscentsPerRound, limits_.deadline});
      const std::size_t n_columns = master_.size();
      add_negative_columns(duals);
      if (budget_.exhausted()) break;
      if (master_.size() == n_columns) return better(start, std::move(duals));
      if (master_.size() > kMostColumnsOfMaster)
        master_.keep_least_reduced_costs(duals, kMostColumnsOfMaster / 2);
    }
    return made_feasible(start, duals);
  }

 private:
  Duals feasible_on_master(Duals duals) const {
    const Pricing pricing = master_.price(duals);
    for (std::size_t v = 0; v < duals.of_vertex.size(); ++v)
      duals.of_vertex[v] += std::min<Cost>(0, pricing.share[v]);
    return duals;
  }

  /// Some for each vertex, among the sets without the vertices before it.
  void add_negative_columns(const Duals& duals) {
    const CutGraph& graph = reduced_cost_.at(duals);
    for (const int class_id : problem_.classes()) {
      const int size = problem_.size(class_id);
      Subset open = problem_.instance.all();
      for (int v = 0; std::popcount(open) >= size; ++v) {
        const Subset first = Subset{1} << v;
        open &= ~first;
        std::size_t found = 0;
        CutSearch search(graph, budget_, [&](Subset set) {
          master_.add({class_id, set});
          return ++found >= kNewColumnsPerVertex;
        });
        (void)search.run(first, open, size, duals.of_class[class_id] - problem_.base(class_id) - 1);
        if (budget_.exhausted()) return;
      }
    }
  }

  /// Lowers the classes' duals until no reduced cost is negative; `start` where that takes too long.
  Duals made_feasible(const Duals& start, Duals duals) {
    StepBudget budget(limits_.most_steps / kSetsPerCutStep / 4, limits_.deadline);
    const CutGraph& graph = reduced_cost_.at(duals);
    for (const int class_id : problem_.classes()) {
      Cost& dual = duals.of_class[class_id];
      for (bool lower = true; lower && !budget.exhausted();) {
        lower = false;
        CutSearch search(graph, budget, [&](Subset set) {
          dual = problem_.cost(set, class_id) - duals.of(set);
          return lower = true;
        });
        (void)search.run(0, problem_.instance.all(), problem_.size(class_id),
                         dual - problem_.base(class_id) - 1);
      }
    }
    return budget.exhausted() ? start : better(start, std::move(duals));
  }

  Duals better(const Duals& start, Duals duals) const {
    return duals.objective(problem_.instance) > start.objective(problem_.instance) ? std::move(duals) : start;
  }

  const SetPartitioning& problem_;
  Cost target_;
  ProofLimits limits_;
  ReducedCostGraph reduced_cost_;
  StepBudget budget_;
  RestrictedMaster master_;
};

}  // namespace

Duals generate_by_enumeration(const SetPartitioning& problem, const Duals& start,
                              const std::vector<VertexGroup>& groups, const AscentLimits& limits,
                              std::uint64_t most_steps) {
  RestrictedMaster master(problem, groups);
  master.add_neighbours_of_partition();
  Duals best = start, at = start, of_master = start;
  Cost objective = best.objective(limits.count);
  std::uint64_t steps = 0;
  for (int round = 0; round < limits.rounds && steps < most_steps && !limits.deadline.passed(); ++round) {
    const Pricing negative = price_negative_sets(problem, at, steps);
    lower_classes(negative, at);
    if (at.objective(limits.count) > objective) {
      objective = at.objective(limits.count);
      best = std::move(at);
    }
    if (objective > limits.target) break;
    for (const VertexGroup& group : negative.set) {
      if (group.members != 0) master.add(group);
    }
    Duals from = of_master;  // the last round's, if the new columns leave them better than `best`
    distribute_slack(master.price(from), from);
    if (from.objective(limits.count) < objective) from = best;
    of_master = subgradient_ascent([&](const Duals& duals) { return master.price(duals); }, from,
                                   {limits.count, limits.target, kAscentsPerPricing, limits.deadline});
    const Cost at_most = of_master.objective(limits.count);
    if (at_most - objective < std::max(kLeastRise, (limits.target - at_most) / kLeastPart)) break;
    at = half_way(best, of_master);
  }
  return best;
}

Duals generate_by_search(const SetPartitioning& problem, const Duals& start,
                         const std::vector<VertexGroup>& groups, Cost target, const ProofLimits& limits) {
  return GenerationBySearch(problem, groups, target, limits).run(start);
}

bool search_columns(const SetPartitioning& problem, const Duals& duals, const ColumnQuery& query,
                    const ProofLimits& limits, std::vector<Column>& columns) {
  ReducedCostGraph reduced_cost(problem);
  StepBudget budget(limits.most_steps / kSetsPerCutStep, limits.deadline);
  CutGraph& graph = reduced_cost.at(duals);
  if (!query.up_to_symmetry) graph.distinguish_all();
  for (const int class_id : problem.classes()) {
    CutSearch search(graph, budget, [&](Subset set) {
      columns.push_back({set, problem.cost(set, class_id), class_id});
      return columns.size() > query.most_columns;
    });
    const Cost most = query.most_reduced_cost + duals.of_class[class_id] - problem.base(class_id);
    if (search.run(query.within, problem.instance.all() & ~query.within, problem.size(class_id), most))
      return false;
  }
  return true;
}

}  // namespace corewise::exact
