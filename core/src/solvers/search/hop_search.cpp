/// Hop-bytes: initial mappings, multilevel refinement, independent annealing runs, reheating runs.
#include "solvers/search/hop_search.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "solvers/search/anneal_hops.hpp"
#include "solvers/search/hop_plan.hpp"
#include "solvers/search/initial_mappings.hpp"
#include "solvers/search/multilevel_refinement.hpp"
#include "solvers/search/task_runner.hpp"
#include "solvers/search/temperature_scale.hpp"

namespace corewise::search {
namespace {

/// A reheating run starts at this temperature: it keeps the structure of its mapping.
constexpr Cost reheating_percent = 25;

class HopSearch {
 public:
  HopSearch(const HopProblem& problem, const SolverOptions& options, WorkMeter& work)
      : problem_(problem),
        model_(problem.model),
        n_threads_(options.threads),
        plan_(make_hop_plan(problem.model.graph.n_active(), options.effort, problem.proof_follows)),
        temperatures_(problem.model.graph, problem.model.tree),
        tasks_(Random(options.seed).next(), options.threads, work) {}

  SlotOfVertex run() {
    const std::vector<RatedMapping> initial = initial_mappings(problem_, plan_, n_threads_, tasks_);
    if (problem_.is_optimal(initial.front().slot_of)) return initial.front().slot_of;
    std::vector<RatedMapping> found(plan_.annealing_runs);
    tasks_.run(found.size(), [&](std::size_t i, Random& random, WorkMeter& work) {
      const Cost percent = plan_.initial_percent[i % plan_.initial_percent.size()];
      const RatedMapping start = multilevel(initial[i % initial.size()], percent, random, work);
      found[i] = annealed_and_descended(start, {percent, plan_.proposals_per_run}, random, work);
    });
    const RatedMapping best = std::min(initial.front(), std::ranges::min(found));
    found.assign(plan_.reheating_runs, {});
    tasks_.run(found.size(), [&](std::size_t i, Random& random, WorkMeter& work) {
      found[i] =
          annealed_and_descended(best, {reheating_percent, plan_.proposals_per_reheating_run}, random, work);
    });
    found.push_back(best);
    return std::ranges::min(found).slot_of;
  }

 private:
  struct Run {
    Cost initial_percent;  ///< as in TemperatureScale::schedule()
    std::uint64_t proposals;
  };

  /// Anneals, then descends from the lowest temperature of the scale to the least possible one.
  [[nodiscard]] RatedMapping annealed_and_descended(const RatedMapping& start, const Run& run, Random& random,
                                                    WorkMeter& work) const {
    const RatedMapping cooled =
        annealed(start, temperatures_.schedule(run.initial_percent, run.proposals), random, work);
    const CoolingSchedule descent{temperatures_.lowest(), 1, run.proposals / 16};
    return std::min({start, cooled, annealed(cooled, descent, random, work)});
  }

  [[nodiscard]] RatedMapping annealed(const RatedMapping& start, const CoolingSchedule& schedule,
                                      Random& random, WorkMeter& work) const {
    return rated(model_, anneal_hops(model_, start.slot_of, schedule, random, work));
  }

  /// Swaps whole groups of each level, then ranks inside regions. Neither heeds constraints on single ranks.
  [[nodiscard]] RatedMapping multilevel(const RatedMapping& start, Cost initial_percent, Random& random,
                                        WorkMeter& work) const {
    if (plan_.multilevel_proposals == 0 || (model_.rules && model_.rules->constrained())) return start;
    const MultilevelOptions options{plan_.multilevel_proposals, initial_percent,
                                    std::max(1, n_threads_ / static_cast<int>(plan_.annealing_runs))};
    SlotOfVertex slot_of = refine_groups(model_, start.slot_of, options, random, work);
    return rated(model_, refine_regions(model_, std::move(slot_of), options, random, work));
  }

  const HopProblem& problem_;
  const HopModel& model_;
  int n_threads_;
  HopPlan plan_;
  TemperatureScale temperatures_;
  TaskRunner tasks_;
};

}  // namespace

SlotOfVertex optimise_hop_bytes(const HopProblem& problem, const SolverOptions& options, WorkMeter& work) {
  if (!problem.model.has_choice()) return problem.initial;
  return HopSearch(problem, options, work).run();
}

}  // namespace corewise::search
