/// prove_hop_bytes(): duals of the groups, level by level, then a search for a partition at the highest level
/// below the root (`top_`).
#include "solvers/exact/hop_bytes_proof.hpp"

#include <algorithm>
#include <utility>

#include "solvers/exact/dual_ascent.hpp"
#include "solvers/exact/set_partitioning.hpp"

namespace corewise::exact {
namespace {

/// Levels with more possible groups are not enumerated. Groups of 8 out of 32 ranks have 10.5 million.
constexpr std::uint64_t kMostSetsToEnumerate = 20'000'000;
constexpr int kMostRounds = 200;
/// With more columns, computing all true costs before the search would take too long.
constexpr std::size_t kMostColumnsToFix = 100'000;

class Prover {
 public:
  Prover(const HopInstance& instance, std::vector<CoreIndex> known, std::span<const Cost> least_cut,
         const ProofLimits& limits)
      : instance_(instance),
        known_(std::move(known)),
        least_cut_(least_cut),
        limits_(limits),
        top_(instance.n_levels() - 1) {
    set_known_cost(instance.cost_at_root() + cost_of_known(top_));
  }

  HopProof run() {
    HopProof proof;
    if (top_ == 0) {  // a flat tree: all placements cost the same
      proof.bound = better_cost_ + instance_.granularity;
      proof.proven = true;
      return proof;
    }
    Cost bound = instance_.cost_at_root() + cut_bound_above(0);
    if (bound <= better_cost_) {
      find_duals();
      for (int level = 1; level <= top_; ++level)
        bound = std::max(
            bound, instance_.cost_at_root() + duals_[level].objective(instance_) + cut_bound_above(level));
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

  /// Cost of the known placement on levels 1 to `level`.
  Cost cost_of_known(int level) const {
    Cost cost = 0;
    for (int at = 1; at <= level; ++at) {
      for (const VertexGroup& group : instance_.groups(at, known_))
        cost += instance_.factor(at) * instance_.inside(group.members);
    }
    return cost;
  }

  /// The dual objective at which an ascent may stop. Below the top it can't exceed the cost of the known
  /// groups. At the top, a bound above better_cost_ completes the proof.
  Cost target(int level) const {
    return level == top_ ? better_cost_ - instance_.cost_at_root() : cost_of_known(level);
  }

  void find_duals() {
    duals_.assign(1, Duals::zero(instance_));
    for (int level = 1; level <= top_; ++level) {
      const SetPartitioning groups = partitioning(level);
      Duals duals = degree_duals(groups);
      if (can_enumerate(level)) {
        duals = generate_by_enumeration(groups, duals, instance_.groups(level, known_),
                                        {instance_.counts(), target(level), kMostRounds, limits_.deadline},
                                        limits_.most_steps / kSetsPerPricingStep);
      }
      duals_.push_back(std::move(duals));
    }
  }

  /// Lower bound on the cost of the levels above `below`. Each level is bounded separately.
  Cost cut_bound_above(int below) const {
    Cost bound = 0;
    const Cost whole_weight = instance_.inside(instance_.all());
    for (int level = below + 1; level <= top_; ++level)
      bound += instance_.factor(level) * (whole_weight - least_cut_[level]);
    return bound;
  }

  /// Searches for a better placement, unless the groups at the top are too many to enumerate.
  void search(HopProof& proof) {
    if (!can_enumerate(top_)) return;
    const Cost slack = target(top_) - duals_[top_].objective(instance_);
    const std::uint64_t most_steps = limits_.most_steps / kSetsPerPricingStep;
    std::vector<Column> columns;
    const SetPartitioning groups = partitioning(top_);
    if (!list_columns(groups, duals_[top_], {slack, kMostColumns, most_steps, &limits_.deadline}, columns))
      return;
    NestedCost nested(instance_, duals_);
    const Duals duals = fix_by_reduced_cost(nested, columns);
    const ProofLimits limits{limits_.most_steps / kSetsPerPartitioningStep, limits_.deadline};
    adopt(nested,
          solve_set_partitioning(groups, nested, std::move(columns), duals, target(top_),
                                 instance_.granularity, limits),
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
    duals =
        subgradient_ascent(columns, duals, {instance_.counts(), target(top_), kMostRounds, limits_.deadline});
    const Cost slack = target(top_) - duals.objective(instance_);
    std::erase_if(columns, [&](const Column& column) {
      return column.cost - duals.of(column.members, column.class_id) > slack;
    });
    return duals;
  }

  /// Takes over the better placement of a search. If the search was complete, the placement is optimal.
  void adopt(NestedCost& nested, const PartitionResult& found, HopProof& proof) {
    const auto divide = [&](int class_id, Subset set) {
      return class_id == instance_.root() ? found.groups : nested.split(set, class_id);
    };
    if (!found.groups.empty() && instance_.place(divide, known_)) {
      set_known_cost(instance_.cost_at_root() + found.cost);
      proof.better = known_;
    }
    proof.proven = found.complete;
    if (found.complete) proof.bound = better_cost_ + instance_.granularity;
  }

  const HopInstance& instance_;
  std::vector<CoreIndex> known_;     ///< [vertex]
  std::span<const Cost> least_cut_;  ///< [level]
  Cost better_cost_ = 0;             ///< the highest cost of a placement that is better than the known one
  ProofLimits limits_;
  int top_;
  std::vector<Duals> duals_;  ///< [level]
};

}  // namespace

HopProof prove_hop_bytes(const HopInstance& instance, std::vector<CoreIndex> known,
                         std::span<const Cost> least_cut, const ProofLimits& limits) {
  return Prover(instance, std::move(known), least_cut, limits).run();
}

}  // namespace corewise::exact
