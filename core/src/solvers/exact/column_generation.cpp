/// Pool and pricing: each vertex in turn looks for of negative reduced cost sets without the vertices before
/// it.
#include "solvers/exact/column_generation.hpp"

#include <algorithm>

#include "solvers/exact/restricted_master.hpp"
#include "solvers/exact/subset_enumeration.hpp"

namespace corewise::exact {
namespace {

/// A step of growth takes about as long as looking at this many sets one after the other.
constexpr std::uint64_t kSetsPerStep = 160;
constexpr int kMostRounds = 120;
constexpr int kAscentsPerRound = 60;
constexpr std::size_t kNewColumnsPerVertex = 20;
constexpr std::size_t kMostColumns = 12'000;

/// Net costs as a growth adds them up: cost(S) = that of its class + sum of joining costs - half the factor
/// times the cut.
class ReducedCostGraph {
 public:
  explicit ReducedCostGraph(const SetPartitioning& partitioning)
      : graph_(partitioning.instance.n, scaled(partitioning)) {
    for (int v = 0; v < partitioning.instance.n; ++v) {
      Cost degree = 0;
      for (int u = 0; u < partitioning.instance.n; ++u)
        degree += u == v ? 0 : partitioning.instance.between(u, v);
      at_zero_duals_.push_back(partitioning.below.of_vertex[v] + partitioning.factor / 2 * degree);
    }
  }

  CutGraph& at(const Duals& duals) {
    std::vector<Cost> vertex_cost = at_zero_duals_;
    for (std::size_t v = 0; v < vertex_cost.size(); ++v) vertex_cost[v] -= duals.of_vertex[v];
    graph_.set_vertex_costs(std::move(vertex_cost));
    return graph_;
  }

 private:
  static std::vector<Cost> scaled(const SetPartitioning& partitioning) {
    std::vector<Cost> weight = partitioning.instance.weight;
    for (Cost& w : weight) w *= -partitioning.factor / 2;
    return weight;
  }

  CutGraph graph_;
  std::vector<Cost> at_zero_duals_;
};

class ColumnGeneration {
 public:
  ColumnGeneration(const SetPartitioning& partitioning, const std::vector<VertexGroup>& groups, Cost enough,
                   const ProofLimits& limits)
      : partitioning_(partitioning),
        enough_(enough),
        limits_(limits),
        net_(partitioning),
        budget_{limits.most_steps / kSetsPerStep, limits.deadline},
        master_(partitioning, groups) {}

  Duals run(const Duals& start) {
    Duals duals = start;
    for (int round = 0; round < kMostRounds; ++round) {
      duals =
          subgradient_ascent([&](const Duals& at) { return master_.cheapest(at); }, feasible_on_master(duals),
                             {counts(partitioning_.instance), enough_, kAscentsPerRound, limits_.deadline});
      const std::size_t n_columns = master_.size();
      price_columns(duals);
      if (budget_.exhausted) break;
      if (master_.size() == n_columns) return higher(start, std::move(duals));
      if (master_.size() > kMostColumns) master_.keep_least_reduced_costs(duals, kMostColumns / 2);
    }
    return made_feasible(start, duals);
  }

 private:
  /// Duals that hold for the pool.
  Duals feasible_on_master(Duals duals) const {
    const Pricing cheapest = master_.cheapest(duals);
    for (std::size_t v = 0; v < duals.of_vertex.size(); ++v) {
      duals.of_vertex[v] += std::min<Cost>(0, cheapest.share[v]);
    }
    return duals;
  }

  void price_columns(const Duals& duals) {
    const CutGraph& graph = net_.at(duals);
    for (const int class_id : partitioning_.classes()) {
      const Cost most_reduced_cost = duals.of_class[class_id] - partitioning_.base(class_id) - 1;
      Subset open = partitioning_.instance.all();
      for (int v = 0; std::popcount(open) >= partitioning_.size(class_id); ++v) {
        const Subset first = Subset{1} << v;
        open &= ~first;
        std::size_t found = 0;
        SubsetEnumeration enumeration(graph, budget_, [&](Subset set) {
          master_.add({class_id, set});
          return ++found >= kNewColumnsPerVertex;
        });
        (void)enumeration.run(first, open, partitioning_.size(class_id), most_reduced_cost);
        if (budget_.exhausted) return;
      }
    }
  }

  /// Lowers the classes' duals until no set is of negative reduced cost any more, if that can be found out.
  Duals made_feasible(const Duals& start, Duals duals) {
    StepBudget count{limits_.most_steps / kSetsPerStep / 4, limits_.deadline};
    const CutGraph& graph = net_.at(duals);
    for (const int class_id : partitioning_.classes()) {
      Cost& dual = duals.of_class[class_id];
      for (bool lower = true; lower && !count.exhausted;) {
        lower = false;
        SubsetEnumeration enumeration(graph, count, [&](Subset set) {
          dual = partitioning_.cost(set, class_id) - duals.of(set);
          return lower = true;
        });
        (void)enumeration.run(0, partitioning_.instance.all(), partitioning_.size(class_id),
                              dual - partitioning_.base(class_id) - 1);
      }
    }
    return count.exhausted ? start : higher(start, std::move(duals));
  }

  Duals higher(const Duals& start, Duals duals) const {
    return duals.of_all(partitioning_.instance) > start.of_all(partitioning_.instance) ? std::move(duals)
                                                                                       : start;
  }

  const SetPartitioning& partitioning_;
  Cost enough_;
  ProofLimits limits_;
  ReducedCostGraph net_;
  StepBudget budget_;
  RestrictedMaster master_;
};

}  // namespace

Duals column_generation(const SetPartitioning& partitioning, const Duals& start,
                        const std::vector<VertexGroup>& groups, Cost enough, const ProofLimits& limits) {
  return ColumnGeneration(partitioning, groups, enough, limits).run(start);
}

bool search_columns(const SetPartitioning& partitioning, const Duals& duals, const SetList& wanted,
                    const ProofLimits& limits, std::vector<Column>& sets) {
  ReducedCostGraph reduced_cost(partitioning);
  StepBudget count{limits.most_steps / kSetsPerStep, limits.deadline};
  CutGraph& graph = reduced_cost.at(duals);
  if (!wanted.up_to_symmetry) graph.distinguish_all();
  for (const int class_id : partitioning.classes()) {
    SubsetEnumeration enumeration(graph, count, [&](Subset set) {
      sets.push_back({set, partitioning.cost(set, class_id), class_id});
      return sets.size() > wanted.most_sets;
    });
    const Cost most = wanted.most_reduced_cost + duals.of_class[class_id] - partitioning.base(class_id);
    if (enumeration.run(wanted.within, partitioning.instance.all() & ~wanted.within,
                        partitioning.size(class_id), most))
      return false;
  }
  return true;
}

}  // namespace corewise::exact
