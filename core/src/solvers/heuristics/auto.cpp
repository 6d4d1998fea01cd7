/// Solver `auto`: a portfolio of starts and refinements for every objective.
#include <optional>
#include <utility>

#include "solvers/bounds/bound.hpp"
#include "solvers/exact/prove_or_try.hpp"
#include "solvers/exact/set_proof.hpp"
#include "solvers/problem/placed_problem.hpp"
#include "solvers/problem/slot_placement.hpp"
#include "solvers/rows.hpp"
#include "solvers/search/hop_search.hpp"
#include "solvers/search/load_search.hpp"
#include "solvers/search/search_parameters.hpp"

namespace corewise {
namespace {

[[nodiscard]] Score evaluate(const PlacedProblem& problem, const Placement& placement) {
  return problem.objective.evaluate(problem.traffic, problem.machine, placement);
}

/// The placement with the best score so far.
class Best {
 public:
  Best(const PlacedProblem& problem, Placement first)
      : problem_(problem), placement_(std::move(first)), score_(evaluate(problem, placement_)) {}
  /// Takes a better placement that keeps the constraints.
  void consider(Placement placement) {
    if (!keeps_constraints(problem_, placement)) return;
    Score score = evaluate(problem_, placement);
    if (problem_.worst ? score > score_ : score < score_) {
      placement_ = std::move(placement);
      score_ = std::move(score);
    }
  }
  [[nodiscard]] const Placement& placement() const { return placement_; }
  [[nodiscard]] const Score& score() const { return score_; }

 private:
  const PlacedProblem& problem_;
  Placement placement_;
  Score score_;
};

/// The heuristic search, one method for each form of objective.
class AutoSearch {
 public:
  /// @param own_starts  false: search only from the best placement so far.
  AutoSearch(const PlacedProblem& problem, const SolverOptions& options, WorkMeter& work, Best& best,
             bool own_starts)
      : problem_(problem),
        options_(options),
        work_(work),
        best_(best),
        own_starts_(own_starts),
        tree_(slot_tree_of(problem)),
        rules_(problem),
        graph_(byte_graph(problem.traffic.folded(), tree_.n_slots())) {}

  void operator()(const DistanceSum& /*form*/) {
    consider(search::optimise_hop_bytes(distance_problem(), options_, work_));
  }

  void operator()(const GreatestLoads& form) { balance(form); }
  void operator()(const PhaseTimes& form) { balance(form); }

 private:
  /// Starts from a placement with few hop-bytes (many if the worst is wanted) if ranks may change nodes, else
  /// from block order.
  template <typename Form>
  void balance(const Form& form) {
    if (!problem_.objective.keeps_nodes) consider(start_by_distance());
    const search::LoadModel model = search::make_load_model(form, problem_);
    work_.check_stop();
    const Graph partners = partner_graph();
    work_.check_stop();
    const search::LoadProblem loads{model, partners, tree_, problem_.top_level(), problem_.worst, &rules_};
    const SlotOfVertex start = slots_of_best();
    const std::uint64_t n_runs = search::n_load_runs(options_.effort, problem_.traffic.n_ranks());
    for (std::uint64_t run = 0; run < n_runs; ++run) {
      consider(search::optimise_loads(loads, start, options_.seed + run, options_.effort, work_));
    }
  }

  [[nodiscard]] SlotOfVertex start_by_distance() {
    SolverOptions options = options_;
    if (problem_.traffic.n_ranks() > search::kCommon.max_ranks_full_start) options.effort = Effort::fast;
    return search::optimise_hop_bytes(distance_problem(), options, work_);
  }

  [[nodiscard]] search::HopProblem distance_problem() const {
    return {{graph_, tree_, problem_.worst ? -1 : 1, &rules_}, slots_of_best(), !own_starts_};
  }
  /// Has edges also for pairs without bytes, because their messages may count.
  [[nodiscard]] Graph partner_graph() const {
    return byte_graph(problem_.traffic.folded(), tree_.n_slots(), 1);
  }
  [[nodiscard]] SlotOfVertex slots_of_best() const {
    return slots_of(best_.placement(), tree_, problem_.machine.n_cores());
  }
  void consider(const SlotOfVertex& slot_of) {
    work_.check_stop();
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
  work.check_stop();
  std::visit(AutoSearch(problem, options, work, best, own_starts), problem.form);
}

}  // namespace

Solution improve_start(const PlacedProblem& problem, const Placement& start, const SolverOptions& options) {
  WorkMeter work(options.deadline_cpu_s, options.stop);
  Best best(problem, start);
  run_search(problem, options, work, best, false);
  Solution solution;
  solution.placement = best.placement();
  solution.cut_short = work.cut_short();
  return solution;
}

Solution solve_auto(const PlacedProblem& problem, const SolverOptions& options) {
  WorkMeter work(options.deadline_cpu_s, options.stop);
  Best best(problem, Placement(problem.places.block));
  const std::int32_t n_ranks = problem.traffic.n_ranks();
  const auto prove = [&] {  // from the best placement so far
    Solution found = prove_or_try(problem, best.placement(),
                                  {options.seed, Effort::fast, options.deadline_cpu_s, 1, options.stop});
    best.consider(found.placement);
    return found;
  };
  if (n_ranks <= search::kCommon.max_ranks_proof_first || exact::proves_by_sets(problem)) {
    Solution found = prove();
    if (found.proven) return found;
  }
  const std::optional<Score> bound = exact::slowest_link_bound(problem);
  const auto so_far = [&] {
    Solution found;
    found.placement = best.placement();
    found.score = best.score();
    found.bound = bound;
    if (bound) bounds::tighten(problem, found);
    return found;
  };
  if (Solution found = so_far(); found.proven) return found;
  run_search(problem, options, work, best, true);
  if (Solution found = so_far(); found.proven) return found;
  if (n_ranks <= search::kCommon.max_ranks_proof_last && !work.cut_short()) {
    Solution found = prove();
    if (found.proven) return found;
  }
  Solution solution = so_far();
  solution.cut_short = work.cut_short();
  return solution;
}

}  // namespace corewise
