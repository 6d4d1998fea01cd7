/// Solver `auto`: a portfolio of starts and refinements for every objective.
#include <optional>
#include <utility>

#include "solvers/bounds/bound.hpp"
#include "solvers/exact/prove_or_try.hpp"
#include "solvers/exact/settle.hpp"
#include "solvers/problem/placed_problem.hpp"
#include "solvers/problem/slot_placement.hpp"
#include "solvers/problem/slots.hpp"
#include "solvers/rows.hpp"
#include "solvers/search/hop_search.hpp"
#include "solvers/search/load_search.hpp"

namespace corewise {
namespace {

/// Up to here `exact` usually proves the optimum within a tenth of a second.
constexpr std::int32_t provable_ranks = 12;

/// Sets of ranks that a proof may look at: about 10 ms, ten seconds at most (half a second beyond 32 ranks,
/// where few proofs succeed), minutes. 16 ranks need a thousandth of the middle one.
std::uint64_t proof_steps(Effort effort, std::int32_t n_ranks) {
  switch (effort) {
    case Effort::fast:
      return 4'000'000;
    case Effort::standard:
      return n_ranks <= 32 ? 3'000'000'000 : 240'000'000;
    case Effort::strong:
      return 32'000'000'000;
  }
  return 0;
}

/// Decisions about one rank that a proof of loads may take: about 20 ms, 6 s (a second beyond 32 ranks, where
/// few proofs succeed), some minutes. 16 ranks need a hundredth of the middle one.
std::uint64_t load_proof_steps(Effort effort, std::int32_t n_ranks) {
  switch (effort) {
    case Effort::fast:
      return 100'000;
    case Effort::standard:
      return n_ranks <= 32 ? 20'000'000 : 2'000'000;
    case Effort::strong:
      return 400'000'000;
  }
  return 0;
}

/// The best placement so far, by the objective itself, and whether a bound says that none is better.
class Best {
 public:
  Best(const PlacedProblem& problem, Placement first) : problem_(problem), placement_(std::move(first)) {
    score_ = evaluate(placement_);
    if (problem.objective.name == "hop-bytes") bound_ = bounds::quick_hop_bytes_bound(problem);
  }
  /// Takes a better placement that keeps the constraints.
  void consider(Placement placement) {
    if (!keeps_constraints(problem_, placement)) return;
    Score score = evaluate(placement);
    if (problem_.worst ? score > score_ : score < score_) {
      placement_ = std::move(placement);
      score_ = std::move(score);
    }
  }
  [[nodiscard]] const Placement& placement() const { return placement_; }
  [[nodiscard]] bool proven() const {
    return bound_ && (problem_.worst ? score_.values.front() >= *bound_ : score_.values.front() <= *bound_);
  }

 private:
  [[nodiscard]] Score evaluate(const Placement& placement) const {
    return problem_.objective.evaluate(problem_.traffic, problem_.machine, placement);
  }
  const PlacedProblem& problem_;
  Placement placement_;
  Score score_;
  std::optional<double> bound_;  ///< of hop-bytes
};

/// Searches beyond the reach of `exact`.
class AutoSearch {
 public:
  /// @param own_starts  false: from the best placement so far alone.
  AutoSearch(const PlacedProblem& problem, const SolverOptions& options, WorkMeter& work, Best& best,
             bool own_starts)
      : problem_(problem),
        options_(options),
        work_(work),
        best_(best),
        own_starts_(own_starts),
        tree_(problem.machine, problem.places.capacity),
        rules_(problem),
        graph_(byte_graph(problem.traffic.folded(), tree_.n_slots())) {}

  void minimise_hop_bytes(Effort effort) {
    search::HopProblem hop{{graph_, tree_, problem_.worst ? -1 : 1, &rules_}, slots_of_best(), !own_starts_};
    if (problem_.objective.name == "hop-bytes") {
      hop.proof_follows = own_starts_ && exact::can_settle_hop_bytes(problem_);
      hop.is_optimal = [this](const std::vector<std::int32_t>& slot_of) {
        consider(slot_of);
        return best_.proven();
      };
    }
    SolverOptions options = options_;
    options.effort = effort;
    consider(search::optimise_hop_bytes(hop, options, work_));
  }

  /// Starts from few hop-bytes (or many, for the worst) where ranks may change nodes, else from block order.
  void balance_loads() {
    const search::LoadModel model = search::make_load_model(problem_, tree_);
    const bool nodes_are_given = problem_.objective.name == "link-load";
    const Graph partners = byte_graph(problem_.traffic.folded(), tree_.n_slots(), 1);
    const search::LoadProblem loads{
        model,          partners, tree_, nodes_are_given ? problem_.machine.node_level() : tree_.n_levels(),
        problem_.worst, &rules_};
    const bool many = problem_.traffic.n_ranks() > 1024;
    if (!nodes_are_given) minimise_hop_bytes(many ? Effort::fast : options_.effort);
    consider(search::optimise_loads(loads, slots_of_best(), options_.seed, options_.effort, work_));
  }

 private:
  std::vector<std::int32_t> slots_of_best() const {
    return slots_of(best_.placement(), tree_, problem_.machine.n_cores());
  }
  void consider(const std::vector<std::int32_t>& slot_of) {
    best_.consider(placement_of(slot_of, tree_, problem_.traffic.n_ranks()));
  }

  const PlacedProblem& problem_;
  const SolverOptions& options_;
  WorkMeter& work_;
  Best& best_;
  bool own_starts_;
  SlotTree tree_;
  SlotRules rules_;
  Graph graph_;
};

void run_search(const PlacedProblem& problem, const SolverOptions& options, WorkMeter& work, Best& best,
                bool own_starts) {
  if (problem.machine.n_levels() == 0 || problem.traffic.n_ranks() < 2) return;
  AutoSearch search(problem, options, work, best, own_starts);
  if (problem.objective.name == "hop-bytes") {
    search.minimise_hop_bytes(options.effort);
  } else {
    search.balance_loads();
  }
}

}  // namespace

Solution improve_start(const PlacedProblem& problem, const Placement& start, const SolverOptions& options) {
  WorkMeter work(options.deadline_cpu_s);
  Best best(problem, start);
  run_search(problem, options, work, best, false);
  Solution solution;
  solution.placement = best.placement();
  solution.cut_short = work.cut_short();
  return solution;
}

Solution solve_auto(const PlacedProblem& problem, const SolverOptions& options) {
  const Deadline deadline(options.deadline_cpu_s);
  WorkMeter work(options.deadline_cpu_s);
  Best best(problem, Placement(problem.places.block));
  Solution solution;
  if (problem.traffic.n_ranks() <= provable_ranks) {
    solution = prove_or_try(problem, {options.seed, Effort::fast, options.deadline_cpu_s});
    if (solution.proven) return solution;
    best.consider(solution.placement);
  }
  run_search(problem, options, work, best, true);
  solution.placement = best.placement();
  solution.cut_short = work.cut_short();
  solution.proven = best.proven();
  if (solution.proven) return solution;
  if (problem.objective.name == "hop-bytes") {
    exact::settle_hop_bytes(problem, proof_steps(options.effort, problem.traffic.n_ranks()), deadline,
                            solution);
  } else {
    const bool time = problem.objective.name == "time";
    const std::uint64_t steps = load_proof_steps(options.effort, problem.traffic.n_ranks());
    (time ? exact::settle_time : exact::settle_loads)(problem, time ? steps / 16 : steps, deadline, solution);
  }
  return solution;
}

}  // namespace corewise
