/// settle_hop_bytes(): placements and scores around the proofs.
#include "solvers/proof/settle.hpp"

#include "solvers/proof/prove.hpp"

namespace corewise::proof {
namespace {

/// [vertex] -> position; silent vertices take the cores that are left, in order.
std::vector<int> positions_of(const Placement& placement, int n) {
  std::vector<int> position;
  std::vector<bool> taken(n, false);
  for (const CoreIndex core : placement.core_of_rank()) {
    position.push_back(raw(core));
    taken[raw(core)] = true;
  }
  for (int core = 0; core < n; ++core) {
    if (!taken[core]) position.push_back(core);
  }
  return position;
}

Placement placement_at(const std::vector<int>& position, std::int32_t n_ranks) {
  std::vector<CoreIndex> core_of_rank;
  for (std::int32_t rank = 0; rank < n_ranks; ++rank) core_of_rank.push_back(CoreIndex{position[rank]});
  return Placement(std::move(core_of_rank));
}

}  // namespace

void settle_hop_bytes(const MappingProblem& problem, std::uint64_t most_steps, const Deadline& deadline,
                      Solution& solution) {
  const auto instance = hop_instance(problem);
  if (!instance) return;
  const HopProof proof =
      prove_hop_bytes(*instance, positions_of(solution.placement, instance->n), {most_steps, deadline});
  if (proof.better) solution.placement = placement_at(*proof.better, problem.traffic.n_ranks());
  solution.proven = proof.proven;
  solution.bound = Score{{static_cast<double>((problem.worst ? -1 : 1) * (proof.bound / kScale))}};
  solution.cut_short |= !proof.proven && deadline.passed();
}

}  // namespace corewise::proof
