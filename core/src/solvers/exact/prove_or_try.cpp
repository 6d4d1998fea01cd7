/// prove_or_try(): a table over sets of ranks if the objective allows it, else branch and bound; node by node
/// if the objective keeps nodes. Branch and bound uses symmetry, bounds by PartialScore, and counts the
/// optimal placements.
#include "solvers/exact/prove_or_try.hpp"

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "overloads.hpp"
#include "solvers/bounds/cut_bounds.hpp"
#include "solvers/exact/partial_score.hpp"
#include "solvers/exact/set_proof.hpp"
#include "solvers/problem/core_tree.hpp"
#include "solvers/problem/deadline.hpp"
#include "solvers/problem/placed_problem.hpp"
#include "solvers/search/search_parameters.hpp"

namespace corewise {
namespace {

/// Up to this number of ranks, branch and bound takes about 0.1 s and counts the optimal placements.
constexpr std::int32_t kMostRanksCounted = 12;

/// The limit on the ranks that a search places, one after the other.
class StepBudget {
 public:
  StepBudget(std::uint64_t most_steps, const Deadline& deadline)
      : most_steps_(most_steps), deadline_(deadline) {}

  /// @return false once the limits are used up. Reads the clock only every few calls.
  bool spend() {
    if (++steps_ > most_steps_ || (steps_ % 1024 == 0 && deadline_.passed())) exhausted_ = true;
    return !exhausted_;
  }
  [[nodiscard]] bool exhausted() const { return exhausted_; }

 private:
  std::uint64_t most_steps_;
  const Deadline& deadline_;
  std::uint64_t steps_ = 0;
  bool exhausted_ = false;
};

/// The ranks to place, and the object of the machine on whose cores they are placed.
struct SearchSpace {
  const PlacedProblem& problem;
  const Traffic& traffic;       ///< between these ranks only, renumbered in their order
  std::span<const Rank> ranks;  ///< [rank of `traffic`] its number in the problem
  int level = 0;                ///< of the object; the machine's highest for all cores
  CoreIndex first_core{0};      ///< a core below the object
};

CoreTree tree_of(const SearchSpace& space) {
  return {space.problem.machine, space.problem.places.capacity, space.level, space.first_core,
          core_classes(space.problem)};
}

struct SearchResult {
  /// Of the optimal placements, the lexicographically first list of cores.
  std::vector<CoreIndex> core_of_rank;
  Score score;
  std::optional<std::uint64_t> n_optimal;  ///< including symmetric placements; empty above 2^64
  bool finished = true;                    ///< false when the limits ended the search early
};

/// Branch and bound: depth-first search over all placements up to symmetry, ranks in order, cores ascending.
/// Source: the enumeration of the SMP-CMP paper (section IV.C).
class BranchAndBound {
 public:
  BranchAndBound(const SearchSpace& space, const StepBudget& budget)
      : space_(space),
        tree_(tree_of(space)),
        score_(partial_score(space.problem, space.traffic)),
        greatest_(space.problem.worst),
        budget_(budget),
        current_(space.traffic.n_ranks()),
        choices_(space.traffic.n_ranks()) {}

  /// @param start  a valid list of cores: the search never returns a worse one.
  SearchResult run(std::span<const CoreIndex> start) {
    for (std::size_t rank = 0; rank < start.size(); ++rank) {
      score_->place(Rank{static_cast<std::int32_t>(rank)}, start[rank]);
    }
    score_->bound(Side::lower, result_.score.values);
    for (std::size_t rank = 0; rank < start.size(); ++rank) score_->take_back();
    result_.core_of_rank.assign(start.begin(), start.end());
    descend(0, 1);
    result_.finished = !budget_.exhausted();
    if (!result_.finished) result_.n_optimal.reset();
    return std::move(result_);
  }

 private:
  void descend(std::size_t rank, std::uint64_t n_equal) {
    if (rank == current_.size()) {
      keep(n_equal);
      return;
    }
    tree_.list_choices(choices_[rank]);
    for (const CoreChoice choice : choices_[rank]) {
      if (!may_start(space_.problem, space_.ranks[rank], choice.core)) continue;
      if (!budget_.spend()) return;
      std::uint64_t n_paths = 0;
      n_paths_overflow_ |= __builtin_mul_overflow(n_equal, choice.n_equal, &n_paths);
      current_[rank] = choice.core;
      tree_.occupy(choice.core);
      score_->place(Rank{static_cast<std::int32_t>(rank)}, choice.core);
      if (!hopeless()) descend(rank + 1, n_paths);
      score_->take_back();
      tree_.release(choice.core);
      if (budget_.exhausted()) return;
    }
  }

  /// Whether no completion reaches the best score so far. Branches that can equal this score continue,
  /// because optimal placements are counted.
  bool hopeless() {
    score_->bound(greatest_ ? Side::upper : Side::lower, bound_.values);
    return greatest_ ? bound_ < result_.score : bound_ > result_.score;
  }

  /// Keeps a complete placement if it is better, or if it is the first one found with the score of the start.
  void keep(std::uint64_t n_equal) {
    score_->bound(Side::lower, bound_.values);
    const bool better = greatest_ ? bound_ > result_.score : bound_ < result_.score;
    if (better || n_found_ == 0) {
      if (!better && bound_ != result_.score) return;
      result_.score = bound_;
      result_.core_of_rank = current_;
      n_found_ = 0;
    } else if (bound_ != result_.score) {
      return;
    }
    n_paths_overflow_ |= __builtin_add_overflow(n_found_, n_equal, &n_found_);
    result_.n_optimal = n_paths_overflow_ ? std::nullopt : std::optional(n_found_);
  }

  const SearchSpace& space_;
  CoreTree tree_;
  std::unique_ptr<PartialScore> score_;
  bool greatest_;
  StepBudget budget_;
  std::vector<CoreIndex> current_;
  std::vector<std::vector<CoreChoice>> choices_;  ///< [depth], kept to save allocations
  Score bound_;
  SearchResult result_;
  std::uint64_t n_found_ = 0;
  bool n_paths_overflow_ = false;
};

/// Traffic between `ranks` only, renumbered in their order.
Traffic among(const Traffic& traffic, std::span<const Rank> ranks) {
  if (std::ssize(ranks) == traffic.n_ranks()) return traffic;
  std::vector<std::int32_t> number(traffic.n_ranks(), -1);
  for (std::size_t i = 0; i < ranks.size(); ++i) number[raw(ranks[i])] = static_cast<std::int32_t>(i);
  Traffic part;
  for (const Phase& phase : traffic.phases) {
    std::vector<MatrixEntry> entries;
    for (const Rank src : ranks) {
      for (const PairTraffic& entry : phase.matrix.row(src)) {
        if (number[raw(entry.peer)] == -1) continue;
        entries.push_back(
            {Rank{number[raw(src)]}, Rank{number[raw(entry.peer)]}, entry.bytes, entry.messages});
      }
    }
    part.phases.push_back({phase.repeat, CommMatrix::from_entries(static_cast<std::int32_t>(ranks.size()),
                                                                  std::move(entries))});
  }
  return part;
}

/// How one form of objective is searched.
struct Plan {
  std::uint64_t most_steps;       ///< of branch and bound
  bool by_node = false;           ///< each node separately
  std::int32_t most_counted = 0;  ///< up to this number of ranks, branch and bound counts optimal placements
};

Plan plan_of(const PlacedProblem& problem, Effort effort) {
  const std::uint64_t steps = search::search_parameters(effort).branches;
  return std::visit(Overloads{[&](const DistanceSum&) { return Plan{steps}; },
                              [&](const GreatestLoads&) {
                                return Plan{steps, problem.objective.keeps_nodes, kMostRanksCounted};
                              },
                              [&](const PhaseTimes&) { return Plan{steps}; }},
                    problem.form);
}

SearchResult search_space(const SearchSpace& space, std::span<const CoreIndex> start, const Plan& plan,
                          const Deadline& deadline) {
  if (space.traffic.n_ranks() > plan.most_counted) {
    if (auto cores = exact::best_by_sets(space.problem, space.traffic, tree_of(space))) {
      SearchResult result;
      result.core_of_rank = *std::move(cores);
      return result;
    }
  }
  return BranchAndBound(space, {plan.most_steps, deadline}).run(start);
}

}  // namespace

/// On the whole machine or on each node separately. As in the SMP-CMP paper, the optimum of a node doesn't
/// depend on other nodes if ranks keep their nodes.
Solution prove_or_try(const PlacedProblem& problem, const Placement& start, const SolverOptions& options) {
  std::vector<CoreIndex> core_of_rank(start.core_of_rank().begin(), start.core_of_rank().end());
  const Plan plan = plan_of(problem, options.effort);
  const Deadline deadline(options.deadline_cpu_s, options.stop);
  Solution solution;
  solution.proven = true;
  solution.n_optimal = 1;
  for (const bounds::Domain& domain : bounds::domains(problem, plan.by_node)) {
    std::vector<CoreIndex> known;
    for (const Rank rank : domain.ranks) known.push_back(core_of_rank[raw(rank)]);
    const Traffic traffic = among(problem.traffic, domain.ranks);
    const int level = plan.by_node ? problem.machine.node_level() : problem.machine.n_levels();
    const SearchSpace space{problem, traffic, domain.ranks, level, known.front()};
    const SearchResult found = search_space(space, known, plan, deadline);
    for (std::size_t i = 0; i < known.size(); ++i) core_of_rank[raw(domain.ranks[i])] = found.core_of_rank[i];
    solution.proven &= found.finished;
    std::uint64_t product = 0;
    if (!solution.n_optimal || !found.n_optimal ||
        __builtin_mul_overflow(*solution.n_optimal, *found.n_optimal, &product)) {
      solution.n_optimal.reset();
    } else {
      solution.n_optimal = product;
    }
  }
  solution.cut_short = !solution.proven && deadline.passed();
  solution.placement = Placement(std::move(core_of_rank));
  return solution;
}

}  // namespace corewise
