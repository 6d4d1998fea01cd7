/// prove_hop_bytes(): duals of the groups, level by level, then a search for a partition at the highest level
/// below the root (`top_`).
#include "solvers/exact/hop_bytes_proof.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "solvers/bounds/spectral.hpp"
#include "solvers/exact/column_generation.hpp"
#include "solvers/exact/set_partitioning.hpp"

namespace corewise::exact {
namespace {

/// Levels with more possible groups are not enumerated. Groups of 8 out of 32 ranks have 10.5 million.
constexpr std::uint64_t kMostSetsToEnumerate = 20'000'000;
/// Levels with fewer possible groups price all of them in every round, without column generation.
constexpr std::uint64_t kLeastSetsForMaster = 20'000;
constexpr int kMostRounds = 200;
/// With more columns, computing all true costs before the search would take too long.
constexpr std::size_t kMostColumnsToFix = 100'000;

class Prover {
 public:
  Prover(const HopInstance& instance, const std::vector<int>& known, const ProofLimits& limits)
      : instance_(instance), known_(known), limits_(limits), top_(instance.n_levels() - 1) {
    set_known_cost(instance.cost_at_root() + cost_of_known(top_));
  }

  HopProof run() {
    HopProof proof;
    if (top_ == 0) {  // a flat tree: all placements cost the same
      proof.bound = better_cost_ + instance_.granularity;
      proof.proven = true;
      return proof;
    }
    Cost bound = instance_.cost_at_root() + spectral_bound_above(0);
    if (bound <= better_cost_) {
      find_duals();
      for (int level = 1; level <= top_; ++level)
        bound = std::max(bound, instance_.cost_at_root() + duals_[level].objective(instance_) +
                                    spectral_bound_above(level));
    }
    proof.bound = std::min(next_possible(bound), better_cost_ + instance_.granularity);
    proof.proven = bound > better_cost_;
    if (!proof.proven) search(proof);
    return proof;
  }

 private:
  void set_known_cost(Cost cost) { better_cost_ = cost - instance_.granularity; }

  /// The least cost of a placement that is not below `cost`: costs differ by multiples of the granularity.
  Cost next_possible(Cost cost) const {
    const Cost above = (cost - better_cost_) % instance_.granularity;
    return cost + (above > 0 ? instance_.granularity - above : -above);
  }

  SetPartitioning partitioning(int level) const {
    return {instance_, level, instance_.factor(level), duals_[level - 1]};
  }

  std::uint64_t n_sets(int level) const {
    std::uint64_t sum = 0;
    for (const int class_id : instance_.classes_of(level))
      sum += n_subsets(instance_.n, instance_.classes[class_id].size);
    return sum;
  }

  bool can_enumerate(int level) const {
    return n_sets(level) <= std::min(kMostSetsToEnumerate, 3 * limits_.most_steps);
  }

  bool wants_worst() const { return instance_.inside(instance_.all()) < 0; }

  std::vector<VertexGroup> known_groups(int level) const {
    std::vector<VertexGroup> groups;
    for (const auto& [class_id, positions] : instance_.objects) {
      if (instance_.classes[class_id].level != level) continue;
      VertexGroup group{class_id, 0};
      for (int v = 0; v < instance_.n; ++v) group.members |= (positions >> known_[v] & 1) << v;
      groups.push_back(group);
    }
    return groups;
  }

  /// Cost of the known placement on levels 1 to `level`.
  Cost cost_of_known(int level) const {
    Cost cost = 0;
    for (int at = 1; at <= level; ++at) {
      for (const VertexGroup& group : known_groups(at))
        cost += instance_.factor(at) * instance_.inside(group.members);
    }
    return cost;
  }

  /// The dual objective at which an ascent may stop. Below the top it can't exceed the cost of the known
  /// groups. At the top, a bound above better_cost_ completes the proof.
  Cost target(int level) const {
    return level == top_ ? better_cost_ - instance_.cost_at_root() : cost_of_known(level);
  }

  Duals better(Duals a, Duals b) const {
    return a.objective(instance_) >= b.objective(instance_) ? std::move(a) : std::move(b);
  }

  void find_duals() {
    duals_.assign(1, Duals::zero(instance_));
    for (int level = 1; level <= top_; ++level)
      duals_.push_back(can_enumerate(level) ? duals_by_enumeration(level)
                                            : degree_duals(partitioning(level)));
  }

  Duals duals_by_enumeration(int level) const {
    const SetPartitioning groups = partitioning(level);
    const AscentLimits ascent{instance_.counts(), target(level), kMostRounds, limits_.deadline};
    Duals start = degree_duals(groups);
    if (n_sets(level) >= kLeastSetsForMaster) {
      if (wants_worst()) start = better(std::move(start), uniform_duals(groups, most_inside(level)));
      return generate_by_enumeration(groups, start, known_groups(level), ascent,
                                     limits_.most_steps / kSetsPerPricingStep);
    }
    Duals duals =
        subgradient_ascent([&](const Duals& at) { return price_all_sets(groups, at); }, start, ascent);
    if (duals.objective(instance_) > ascent.target) return duals;
    return better(std::move(duals), uniform_duals(groups, most_inside(level)));
  }

  /// [class] greatest weight inside a group. @pre can_enumerate(level)
  std::vector<Cost> most_inside(int level) const {
    std::vector<Cost> most(instance_.classes.size(), std::numeric_limits<Cost>::min());
    for (const VertexGroup& group : known_groups(level))
      most[group.class_id] = std::max(most[group.class_id], instance_.inside(group.members));
    // Costs are negated weights here, so a set of negative reduced cost is heavier than all known sets.
    const SetPartitioning weights{instance_, level, -1, Duals::zero(instance_)};
    Duals known = weights.below;
    for (const int class_id : weights.classes()) known.of_class[class_id] = -most[class_id];
    std::uint64_t steps = 0;
    const Pricing heavier = price_negative_sets(weights, known, steps);
    for (const int class_id : weights.classes()) most[class_id] -= std::min<Cost>(heavier.least[class_id], 0);
    return most;
  }

  /// Lower bound on the cost of the levels above `below`. Each level is bounded separately.
  Cost spectral_bound_above(int below) const {
    Cost bound = 0;
    const Cost whole_weight = instance_.inside(instance_.all());
    for (int level = below + 1; level <= top_; ++level)
      bound += instance_.factor(level) * (whole_weight - bounds::least_cut(instance_, level));
    return bound;
  }

  /// Searches for a better placement, unless the groups at the top are too many to enumerate.
  void search(HopProof& proof) {
    if (!can_enumerate(top_)) return;
    const Cost slack = target(top_) - duals_[top_].objective(instance_);
    const std::uint64_t most_steps = limits_.most_steps / kSetsPerPricingStep;
    std::vector<Column> columns;
    if (!list_columns(partitioning(top_), duals_[top_], {slack, kMostColumns, most_steps, &limits_.deadline},
                      columns))
      return;
    NestedCost nested(instance_, duals_);
    const Duals duals = fix_by_reduced_cost(nested, columns);
    const ProofLimits limits{limits_.most_steps / kSetsPerPartitioningStep, limits_.deadline};
    adopt(nested, solve_set_partitioning(nested, instance_, std::move(columns), duals, target(top_), limits),
          proof);
  }

  /// Reduced-cost fixing: computes the true costs of the columns, raises the duals once more, and drops
  /// columns whose reduced cost exceeds the slack.
  /// @return the raised duals
  Duals fix_by_reduced_cost(NestedCost& nested, std::vector<Column>& columns) const {
    Duals duals = duals_[top_];
    if (columns.size() > kMostColumnsToFix) return duals;
    Subset covered = 0;
    for (Column& column : columns) {
      column.cost = nested.of(column.members, column.class_id);
      covered |= column.members;
    }
    if (covered != instance_.all()) {  // some vertex is in no column: there is no better placement
      columns.clear();
      return duals;
    }
    duals = subgradient_ascent([&](const Duals& at) { return price_columns(columns, at); }, duals,
                               {instance_.counts(), target(top_), kMostRounds, limits_.deadline});
    const Cost slack = target(top_) - duals.objective(instance_);
    std::erase_if(columns, [&](const Column& column) {
      return column.cost - duals.of(column.members, column.class_id) > slack;
    });
    return duals;
  }

  /// Takes over the better placement of a search. If the search was complete, the placement is optimal.
  void adopt(NestedCost& nested, const PartitionResult& found, HopProof& proof) {
    if (!found.groups.empty()) {
      place(nested, found.groups, instance_.all(), known_);
      set_known_cost(instance_.cost_at_root() + found.cost);
      proof.better = known_;
    }
    proof.proven = found.complete;
    if (found.complete) proof.bound = better_cost_ + instance_.granularity;
  }

  /// Puts each group into a free object of its class, and its subgroups into that object's children.
  void place(NestedCost& nested, const std::vector<VertexGroup>& groups, Subset positions,
             std::vector<int>& position) const {
    for (const VertexGroup& group : groups) {
      const auto object = std::ranges::find_if(instance_.objects, [&](const VertexGroup& at) {
        return at.class_id == group.class_id && (at.members & ~positions) == 0;
      });
      positions &= ~object->members;
      if (instance_.classes[group.class_id].level > 0) {
        place(nested, nested.split(group.members, group.class_id), object->members, position);
      } else {
        position[std::countr_zero(group.members)] = std::countr_zero(object->members);
      }
    }
  }

  const HopInstance& instance_;
  std::vector<int> known_;  ///< [vertex] -> position
  Cost better_cost_ = 0;    ///< the highest cost of a placement that is better than the known one
  ProofLimits limits_;
  int top_;
  std::vector<Duals> duals_;  ///< [level]
};

}  // namespace

HopProof prove_hop_bytes(const HopInstance& instance, const std::vector<int>& known,
                         const ProofLimits& limits) {
  return Prover(instance, known, limits).run();
}

}  // namespace corewise::exact
