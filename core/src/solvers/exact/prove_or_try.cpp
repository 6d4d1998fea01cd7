/// prove_or_try(): one search for each form of objective, node by node if the objective keeps nodes.
#include "solvers/exact/prove_or_try.hpp"

#include <numeric>

#include "solvers/bounds/cut_bounds.hpp"
#include "solvers/exact/branch_and_bound.hpp"
#include "solvers/exact/close_gap.hpp"
#include "solvers/problem/hop_instance.hpp"
#include "solvers/problem/placed_problem.hpp"
#include "solvers/problem/slot_placement.hpp"
#include "solvers/search/hop_search.hpp"
#include "solvers/search/search_parameters.hpp"

namespace corewise {
namespace {

/// How different steps compare. A step of a proof examines one set. A step of branch and bound places a rank,
/// which takes as long as kSetsPerStep sets. Evaluating a whole placement takes kStepsPerEvaluation steps.
constexpr std::uint64_t kSetsPerStep = 40;
constexpr std::uint64_t kStepsPerEvaluation = 10;

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

/// Branch and bound from block order, on the whole machine or on each node separately. As in the SMP-CMP
/// paper, the optimum of a node doesn't depend on other nodes if ranks keep their nodes.
Solution solve_domains(const PlacedProblem& problem, bool by_node, const SolverOptions& options,
                       std::uint64_t steps) {
  std::vector<CoreIndex> core_of_rank = problem.places.block;
  const Deadline deadline(options.deadline_cpu_s, options.stop);
  Solution solution;
  solution.proven = true;
  solution.n_optimal = 1;
  for (const bounds::Domain& domain : bounds::domains(problem, by_node)) {
    std::vector<CoreIndex> start;
    for (const Rank rank : domain.ranks) start.push_back(core_of_rank[raw(rank)]);
    const Traffic traffic = among(problem.traffic, domain.ranks);
    const int level = by_node ? problem.machine.node_level() : problem.machine.n_levels();
    const SearchResult found =
        branch_and_bound({problem, traffic, domain.ranks, level, start.front()}, start, steps, deadline);
    for (std::size_t i = 0; i < start.size(); ++i) core_of_rank[raw(domain.ranks[i])] = found.core_of_rank[i];
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

/// For a sum of distances with one rank per core: the heuristic search of `auto`, then a proof.
Solution solve_distances(const DistanceSum& form, const PlacedProblem& problem,
                         const SolverOptions& options) {
  const SlotTree tree = slot_tree_of(problem);
  const Graph graph = byte_graph(problem.traffic.folded(), tree.n_slots());
  std::vector<std::int32_t> slots(tree.n_slots());
  std::iota(slots.begin(), slots.end(), 0);
  WorkMeter work(options.deadline_cpu_s, options.stop);
  slots = search::optimise_hop_bytes(
      {{graph, tree, problem.worst ? -1 : 1}, slots},
      {options.seed, Effort::fast, options.deadline_cpu_s, options.threads, options.stop}, work);

  Solution solution;
  solution.placement = placement_of(slots, tree, problem.traffic.n_ranks());
  exact::close_distance_gap(form, problem, kSetsPerStep * search::search_parameters(options.effort).branches,
                            Deadline(options.deadline_cpu_s, options.stop), solution);
  return solution;
}

Solution solve_for(const NoForm& /*form*/, const PlacedProblem& problem, const SolverOptions& options) {
  return solve_domains(problem, false, options,
                       search::search_parameters(options.effort).branches / kStepsPerEvaluation);
}

Solution solve_for(const DistanceSum& form, const PlacedProblem& problem, const SolverOptions& options) {
  return hop_instance(form, problem)
             ? solve_distances(form, problem, options)
             : solve_domains(problem, false, options, search::search_parameters(options.effort).branches);
}

Solution solve_for(const GreatestLoads& /*form*/, const PlacedProblem& problem,
                   const SolverOptions& options) {
  const std::uint64_t steps = search::search_parameters(options.effort).branches;
  const Deadline deadline(options.deadline_cpu_s, options.stop);
  Solution solution = solve_domains(problem, problem.objective.keeps_nodes, options, steps);
  if (!solution.proven) exact::close_load_gap(problem, steps, deadline, solution);
  return solution;
}

Solution solve_for(const PhaseTimes& /*form*/, const PlacedProblem& problem, const SolverOptions& options) {
  return solve_domains(problem, false, options, search::search_parameters(options.effort).branches);
}

}  // namespace

Solution prove_or_try(const PlacedProblem& problem, const SolverOptions& options) {
  return std::visit([&](const auto& form) { return solve_for(form, problem, options); }, problem.form);
}

}  // namespace corewise
