/// close_distance_gap(): duals of the groups, level by level, then a search for a partition at the highest
/// level below the root (`top_`) if the bound is below the known cost.
#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "solvers/exact/close_gap.hpp"
#include "solvers/exact/dual_ascent.hpp"
#include "solvers/exact/set_partitioning.hpp"

namespace corewise::exact {
namespace {

/// Levels with more possible groups are not enumerated. Groups of 8 out of 32 ranks have 10.5 million.
constexpr std::uint64_t kMostSetsToEnumerate = 20'000'000;
constexpr int kMostRounds = 200;
/// First limit of steps. Most proofs finish within it; the others start again with a higher limit.
constexpr std::uint64_t kFirstSteps = 300'000'000;

struct HopProof {
  Cost bound = 0;       ///< no placement costs less; scaled, negative if the worst is searched
  bool proven = false;  ///< `better`, or `known` if there is no `better`, is optimal
  std::optional<std::vector<CoreIndex>> better;  ///< [vertex] a better placement than the known one
};

class Prover {
 public:
  /// @param known      [vertex] a good placement, also of the padding.
  /// @param least_cut  [level] lower bound on the weight between the groups of a level.
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
  /// All steps of the limits, counted in steps that take as long as `sets` sets.
  StepBudget budget_in_steps_of(std::uint64_t sets) const {
    return StepBudget({limits_.most_steps / sets, limits_.deadline});
  }

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
        StepBudget budget = budget_in_steps_of(kSetsPerPricingStep);
        duals = generate_by_enumeration(groups, duals, instance_.groups(level, known_),
                                        {instance_.counts(), target(level), kMostRounds, limits_.deadline},
                                        budget);
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
    std::vector<Column> columns;
    const SetPartitioning groups = partitioning(top_);
    StepBudget listing = budget_in_steps_of(kSetsPerPricingStep);
    if (!list_columns(groups, duals_[top_], slack, listing, columns)) return;
    StepBudget budget = budget_in_steps_of(kSetsPerPartitioningStep);
    NestedCost nested(instance_, duals_, budget);
    adopt(nested,
          solve_set_partitioning(groups, nested, std::move(columns), duals_[top_], target(top_),
                                 instance_.granularity, budget),
          proof);
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

/// [vertex] its core. Padding takes the remaining cores, in order.
std::vector<CoreIndex> cores_of_vertices(const Placement& placement, const CoreTree& tree) {
  std::vector<CoreIndex> cores(placement.core_of_rank().begin(), placement.core_of_rank().end());
  for (const CoreTree::Object& at : tree.objects()) {
    const bool place = at.children.empty() && at.capacity > 0;
    if (place && std::ranges::find(cores, at.core) == cores.end()) cores.push_back(at.core);
  }
  return cores;
}

}  // namespace

void close_distance_gap(const DistanceSum& form, const PlacedProblem& problem, std::uint64_t most_steps,
                        const Deadline& deadline, Solution& solution) {
  const auto instance = hop_instance(form, problem);
  if (!instance) return;
  std::vector<Cost> least_cut(problem.machine.n_levels() + 1, 0);
  const PairGraph graph(problem.traffic.folded());
  for (const auto& cut : bounds::cut_bounds(bounds::domains(problem, false), graph, kCutLimits)) {
    std::ranges::transform(cut, least_cut.begin(), [&](const bounds::CutBounds& at) {
      return problem.worst ? -static_cast<Cost>(at.most) : static_cast<Cost>(at.least);
    });
  }
  HopProof proof;
  for (std::uint64_t steps = std::min(most_steps, kFirstSteps);; steps = std::min(most_steps, 10 * steps)) {
    proof =
        Prover(*instance, cores_of_vertices(solution.placement, instance->tree), least_cut, {steps, deadline})
            .run();
    if (proof.better) {
      proof.better->resize(problem.traffic.n_ranks());
      solution.placement = Placement(*std::move(proof.better));
    }
    if (proof.proven || steps == most_steps || deadline.passed()) break;
  }
  solution.proven = proof.proven;
  solution.bound = Score{{static_cast<double>((problem.worst ? -1 : 1) * (proof.bound / kCostScale))}};
  solution.cut_short |= !proof.proven && deadline.passed();
}

}  // namespace corewise::exact
