/// The search behind `exact`, for each form of objective; where nodes are kept each node by itself.
#include "solvers/exact/prove_or_try.hpp"

#include <numeric>

#include "solvers/exact/branch_and_bound.hpp"
#include "solvers/exact/close_gap.hpp"
#include "solvers/problem/hop_instance.hpp"
#include "solvers/problem/placed_problem.hpp"
#include "solvers/problem/slot_placement.hpp"
#include "solvers/search/hop_search.hpp"

namespace corewise {
namespace {

/// Ranks placed in all: some seconds for the default effort.
std::uint64_t most_steps(Effort effort) {
  switch (effort) {
    case Effort::fast:
      return 1'000'000;
    case Effort::standard:
      return 30'000'000;
    case Effort::strong:
      return 1'000'000'000;
  }
  return 0;
}

/// A step of a proof looks at one set; a step of the search places a rank, which takes longer, and evaluating
/// all ranks' traffic takes longer still.
constexpr std::uint64_t kSetsPerStep = 40;
constexpr std::uint64_t kStepsPerEvaluation = 10;

/// Traffic among `ranks` alone, renumbered in their order.
Traffic among(const Traffic& traffic, std::span<const Rank> ranks) {
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

/// The ranks of one node on its cores, from where `core_of_rank` has them now.
SearchResult search_node(const PlacedProblem& problem, NodeIndex node, std::uint64_t most_steps,
                         const Deadline& deadline, std::vector<CoreIndex>& core_of_rank) {
  std::vector<Rank> ranks;
  std::vector<CoreIndex> start;
  for (std::size_t rank = 0; rank < core_of_rank.size(); ++rank) {
    if (problem.machine.node_of(core_of_rank[rank]) != node) continue;
    ranks.push_back(Rank{static_cast<std::int32_t>(rank)});
    start.push_back(core_of_rank[rank]);
  }
  const Traffic traffic = among(problem.traffic, ranks);
  const SearchSpace space{problem, traffic, ranks, problem.machine.node_level(),
                          problem.machine.first_core(node)};
  SearchResult found = branch_and_bound(space, start, most_steps, deadline);
  for (std::size_t i = 0; i < ranks.size(); ++i) core_of_rank[raw(ranks[i])] = found.core_of_rank[i];
  return found;
}

/// The SMP-CMP paper's affinity: every node has its own optimum, whatever the others look like.
Solution solve_each_node(const PlacedProblem& problem, const SolverOptions& options) {
  const Placement start = Placement(problem.places.block);
  std::vector<CoreIndex> core_of_rank(start.core_of_rank().begin(), start.core_of_rank().end());
  const Deadline deadline(options.deadline_cpu_s);
  Solution solution;
  solution.proven = true;
  std::optional<std::uint64_t> n_optimal = 1;
  for (std::int32_t node = 0; node < problem.machine.n_nodes(); ++node) {
    const SearchResult found =
        search_node(problem, NodeIndex{node}, most_steps(options.effort), deadline, core_of_rank);
    solution.proven &= found.finished;
    std::uint64_t product = 0;
    if (!n_optimal || !found.n_optimal || __builtin_mul_overflow(*n_optimal, *found.n_optimal, &product)) {
      n_optimal.reset();
    } else {
      n_optimal = product;
    }
  }
  solution.cut_short = !solution.proven && deadline.passed();
  if (solution.proven) solution.n_optimal = n_optimal;
  solution.placement = Placement(std::move(core_of_rank));
  return solution;
}

/// A sum of distances, one rank a core: the best that the search of `auto` finds, then a proof.
Solution solve_distances(const PlacedProblem& problem, const SolverOptions& options) {
  const SlotTree tree = slot_tree_of(problem);
  const Graph graph = byte_graph(problem.traffic.folded(), tree.n_slots());
  std::vector<std::int32_t> slots(tree.n_slots());
  std::iota(slots.begin(), slots.end(), 0);
  WorkMeter work(options.deadline_cpu_s);
  slots =
      search::optimise_hop_bytes({{graph, tree, problem.worst ? -1 : 1}, slots},
                                 {options.seed, Effort::fast, options.deadline_cpu_s, options.threads}, work);

  Solution solution;
  solution.placement = placement_of(slots, tree, problem.traffic.n_ranks());
  exact::close_distance_gap(problem, kSetsPerStep * most_steps(options.effort),
                            Deadline(options.deadline_cpu_s), solution);
  return solution;
}

Solution solve_whole_machine(const PlacedProblem& problem, const SolverOptions& options,
                             std::uint64_t steps) {
  const Placement start = Placement(problem.places.block);
  std::vector<Rank> ranks;
  for (std::int32_t rank = 0; rank < problem.traffic.n_ranks(); ++rank) ranks.push_back(Rank{rank});
  const SearchSpace space{problem, problem.traffic, ranks, problem.machine.n_levels(), CoreIndex{0}};
  const Deadline deadline(options.deadline_cpu_s);
  SearchResult found = branch_and_bound(space, start.core_of_rank(), steps, deadline);
  Solution solution;
  solution.placement = Placement(std::move(found.core_of_rank));
  solution.proven = found.finished;
  solution.cut_short = !found.finished && deadline.passed();
  if (found.finished) solution.n_optimal = found.n_optimal;
  return solution;
}

Solution solve_for(const NoForm& /*form*/, const PlacedProblem& problem, const SolverOptions& options) {
  return solve_whole_machine(problem, options, most_steps(options.effort) / kStepsPerEvaluation);
}

Solution solve_for(const DistanceSum& /*form*/, const PlacedProblem& problem, const SolverOptions& options) {
  return hop_instance(problem) ? solve_distances(problem, options)
                               : solve_whole_machine(problem, options, most_steps(options.effort));
}

Solution solve_for(const GreatestLoads& /*form*/, const PlacedProblem& problem,
                   const SolverOptions& options) {
  const Deadline deadline(options.deadline_cpu_s);
  Solution solution = problem.objective.keeps_nodes
                          ? solve_each_node(problem, options)
                          : solve_whole_machine(problem, options, most_steps(options.effort));
  if (!solution.proven) exact::close_load_gap(problem, most_steps(options.effort), deadline, solution);
  return solution;
}

Solution solve_for(const PhaseTimes& /*form*/, const PlacedProblem& problem, const SolverOptions& options) {
  return solve_whole_machine(problem, options, most_steps(options.effort));
}

}  // namespace

Solution prove_or_try(const PlacedProblem& problem, const SolverOptions& options) {
  return std::visit([&](const auto& form) { return solve_for(form, problem, options); }, problem.form);
}

}  // namespace corewise
