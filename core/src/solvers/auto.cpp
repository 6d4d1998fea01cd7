/// Solver `auto`: a portfolio of starts and refinements for every objective.
#include "solvers/engine/hop_search.hpp"
#include "solvers/rows.hpp"
#include "solvers/slots.hpp"

namespace corewise {
namespace {

using engine::SlotTree;

/// Up to here `exact` usually proves the optimum within a tenth of a second.
constexpr std::int32_t provable_ranks = 12;

/// The slots of a placement's ranks; silent ranks take what is left, in order.
std::vector<std::int32_t> slots_of(const Placement& placement, const SlotTree& tree, std::int32_t n_cores) {
  std::vector<std::int32_t> next(n_cores, -1), slot_of;
  for (std::int32_t slot = tree.n_slots() - 1; slot >= 0; --slot) next[raw(tree.core(slot))] = slot;
  std::vector<std::uint8_t> taken(tree.n_slots(), 0);
  for (const CoreIndex core : placement.core_of_rank()) {
    slot_of.push_back(next[raw(core)]++);
    taken[slot_of.back()] = 1;
  }
  for (std::int32_t slot = 0; slot < tree.n_slots(); ++slot) {
    if (!taken[slot]) slot_of.push_back(slot);
  }
  return slot_of;
}

Placement placement_of(const std::vector<std::int32_t>& slot_of, const SlotTree& tree, std::int32_t n_ranks) {
  std::vector<CoreIndex> core_of_rank;
  for (std::int32_t rank = 0; rank < n_ranks; ++rank) core_of_rank.push_back(tree.core(slot_of[rank]));
  return Placement(std::move(core_of_rank));
}

}  // namespace

Solution solve_auto(const MappingProblem& problem, const SolverOptions& options) {
  if (problem.traffic.n_ranks() <= provable_ranks) {
    Solution proven = solve_exact(problem, {options.seed, Effort::fast, options.deadline_cpu_s});
    if (proven.proven) return proven;
  }
  engine::WorkMeter work(options.deadline_cpu_s);
  Solution solution;
  solution.placement = place_in_order(problem, given_nodes(problem));
  if (problem.objective.name != "link-load") {
    const SlotTree tree(problem.machine, problem.core_capacity);
    const engine::Graph graph = engine::byte_graph(problem.traffic.folded(), tree.n_slots());
    const engine::HopProblem hop{graph, tree, slots_of(solution.placement, tree, problem.machine.n_cores()),
                                 problem.worst};
    const auto slots = engine::search_hop_bytes(hop, options.seed, options.effort, work);
    solution.placement = placement_of(slots, tree, problem.traffic.n_ranks());
  }
  solution.cut_short = work.cut_short();
  return solution;
}

}  // namespace corewise
