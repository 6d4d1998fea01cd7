/// Hop-bytes: initial mappings, multilevel refinement, independent annealing runs, reheating runs.
#include "solvers/search/hop_search.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "solvers/search/anneal_hops.hpp"
#include "solvers/search/initial_mappings.hpp"
#include "solvers/search/multilevel_refinement.hpp"
#include "solvers/search/search_parameters.hpp"
#include "solvers/search/task_runner.hpp"

namespace corewise::search {
namespace {

class HopSearch {
 public:
  HopSearch(const HopProblem& problem, const SolverOptions& options, WorkMeter& work)
      : problem_(problem),
        model_(problem.model),
        n_threads_(options.threads),
        n_ranks_(problem.model.graph.n_active()),
        plan_(hop_plan(search_parameters(options.effort), n_ranks_)),
        temperatures_(problem.model.graph, problem.model.tree),
        tasks_(Random(options.seed).next(), options.threads, work) {}

  SlotOfVertex run() {
    const std::vector<RatedMapping> initial = initial_mappings(problem_, plan_, n_threads_, tasks_);
    std::vector<RatedMapping> found(n_annealing_runs(plan_, n_ranks_));
    const std::uint64_t proposals = annealing_proposals(plan_, n_ranks_);
    tasks_.run(found.size(), [&](std::size_t i, Random& random, WorkMeter& work) {
      const Cost percent = plan_.initial_percent[i % plan_.initial_percent.size()];
      const RatedMapping start = multilevel(initial[i % initial.size()], percent, random, work);
      found[i] = annealed_and_descended(start, {percent, proposals}, random, work);
    });
    const RatedMapping best = std::min(initial.front(), std::ranges::min(found));
    found.assign(plan_.reheating_runs, {});
    const std::uint64_t reheating = reheating_proposals(plan_, n_ranks_);
    tasks_.run(found.size(), [&](std::size_t i, Random& random, WorkMeter& work) {
      found[i] = annealed_and_descended(best, {kCommon.reheating_percent, reheating}, random, work);
    });
    found.push_back(best);
    return std::ranges::min(found).slot_of;
  }

 private:
  struct Run {
    Cost initial_percent;  ///< as in TemperatureScale::schedule()
    std::uint64_t proposals;
  };

  /// Anneals to the lowest temperature of the scale, then, with fewer proposals, to temperature 1.
  [[nodiscard]] RatedMapping annealed_and_descended(const RatedMapping& start, const Run& run, Random& random,
                                                    WorkMeter& work) const {
    const RatedMapping cooled =
        annealed(start, temperatures_.schedule(run.initial_percent, run.proposals), random, work);
    const CoolingSchedule descent{temperatures_.lowest(), 1, run.proposals / kCommon.descent_part};
    return std::min({start, cooled, annealed(cooled, descent, random, work)});
  }

  [[nodiscard]] RatedMapping annealed(const RatedMapping& start, const CoolingSchedule& schedule,
                                      Random& random, WorkMeter& work) const {
    return rated(model_, anneal_hops(model_, start.slot_of, schedule, random, work));
  }

  /// Swaps whole groups of each level, then ranks inside regions. Does nothing if single ranks are
  /// constrained, because both steps ignore such constraints.
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
  std::int32_t n_ranks_;
  const HopPlan& plan_;
  TemperatureScale temperatures_;
  TaskRunner tasks_;
};

}  // namespace

SlotOfVertex optimise_hop_bytes(const HopProblem& problem, const SolverOptions& options, WorkMeter& work) {
  if (!problem.model.has_choice()) return problem.initial;
  return HopSearch(problem, options, work).run();
}

}  // namespace corewise::search
