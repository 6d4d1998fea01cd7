/// close_gap(): limits the work of each form of objective.
#include "solvers/exact/close_gap.hpp"

#include "overloads.hpp"
#include "solvers/search/search_parameters.hpp"

namespace corewise::exact {
namespace {

/// Proven loads give only a bound on a time, never a proof, so they get fewer steps.
constexpr std::uint64_t kLoadStepsPerTimeStep = 16;

}  // namespace

void close_gap(const PlacedProblem& problem, Effort effort, const Deadline& deadline, Solution& solution) {
  const search::SearchParameters& parameters = search::search_parameters(effort);
  const std::int32_t n_ranks = problem.traffic.n_ranks();
  const std::uint64_t sets = parameters.distance_sets[n_ranks <= 24 ? 0 : 1];
  const std::uint64_t decisions = parameters.load_decisions[n_ranks <= 32 ? 0 : 1];
  std::visit(
      Overloads{[](const NoForm&) {},
                [&](const DistanceSum& form) { close_distance_gap(form, problem, sets, deadline, solution); },
                [&](const GreatestLoads&) { close_load_gap(problem, decisions, deadline, solution); },
                [&](const PhaseTimes& form) {
                  close_time_gap(form, problem, decisions / kLoadStepsPerTimeStep, deadline, solution);
                }},
      problem.form);
}

}  // namespace corewise::exact
