/// solve(): checks the problem, runs one row of the registry, measures it and checks what it returns.
#include <algorithm>
#include <numeric>

#include "budget.hpp"
#include "corewise/error.hpp"
#include "corewise/solver.hpp"
#include "proof/bound.hpp"
#include "text.hpp"

namespace corewise {
namespace {

void check_length(std::size_t found, std::int32_t expected, const char* column, const char* unit) {
  if (found == static_cast<std::size_t>(expected)) return;
  throw Error(ErrorCode::size_mismatch,
              concat(column, " has ", found, " values; expected one for each of ", expected, " ", unit));
}

void check_capacity(const MappingProblem& problem) {
  check_length(problem.core_capacity.size(), problem.machine.n_cores(), "core_capacity", "cores");
  if (std::ranges::any_of(problem.core_capacity, [](std::int32_t capacity) { return capacity < 0; })) {
    throw Error(ErrorCode::bad_input, "core_capacity has a negative value; expected 0 (forbidden) or more");
  }
  const std::int64_t places =
      std::accumulate(problem.core_capacity.begin(), problem.core_capacity.end(), std::int64_t{0});
  if (problem.traffic.n_ranks() > places) {
    throw Error(ErrorCode::bad_input,
                concat(problem.traffic.n_ranks(), " ranks and room for ", places, " on the ",
                       problem.machine.n_cores(), " cores of machine '", problem.machine.name(),
                       "'; take a larger machine, or let ranks share cores (corewise map --oversubscribe)"));
  }
}

void check_nodes(const MappingProblem& problem) {
  if (problem.node_of_rank.empty()) return;
  check_length(problem.node_of_rank.size(), problem.traffic.n_ranks(), "node_of_rank", "ranks");
  for (const NodeIndex node : problem.node_of_rank) {
    if (raw(node) >= 0 && raw(node) < problem.machine.n_nodes()) continue;
    throw Error(ErrorCode::bad_input,
                concat("node_of_rank names node ", raw(node), " of a machine with ",
                       problem.machine.n_nodes(), "; expected 0-", problem.machine.n_nodes() - 1));
  }
}

}  // namespace

Solution solve(const MappingProblem& problem, std::string_view solver_name, const SolverOptions& options) {
  const SolverInfo& row = solver(solver_name);
  MappingProblem complete = problem;
  if (complete.core_capacity.empty()) complete.core_capacity.assign(problem.machine.n_cores(), 1);
  check_capacity(complete);
  check_nodes(complete);

  const double start_cpu_s = process_cpu_s();
  Solution solution = row.solve(complete, options);
  validate(solution.placement, problem.machine, complete.core_capacity);
  solution.score = problem.objective.evaluate(problem.traffic, problem.machine, solution.placement);
  if (row.optimises) proof::tighten(complete, solution);
  solution.cpu_s = process_cpu_s() - start_cpu_s;
  return solution;
}

}  // namespace corewise
