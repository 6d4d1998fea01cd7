/// settle_hop_bytes(): placements and scores around the proofs.
#include "solvers/proof/settle.hpp"

#include <algorithm>

#include "solvers/proof/degree_bound.hpp"
#include "solvers/proof/prove.hpp"

namespace corewise::proof {
namespace {

/// Scaled, negative for the worst: as the instance costs it.
Cost cost_of(const HopInstance& instance, const Machine& machine, const Placement& placement) {
  Cost sum = 0;
  for (std::int32_t u = 0; u < placement.n_ranks(); ++u) {
    for (std::int32_t v = 0; v < u; ++v) {
      sum += instance.between(u, v) * machine.distance(placement.core(Rank{u}), placement.core(Rank{v}));
    }
  }
  return kScale * sum;
}

Placement placement_at(const std::vector<int>& position, std::int32_t n_ranks) {
  std::vector<CoreIndex> core_of_rank;
  for (std::int32_t rank = 0; rank < n_ranks; ++rank) core_of_rank.push_back(CoreIndex{position[rank]});
  return Placement(std::move(core_of_rank));
}

}  // namespace

void settle_hop_bytes(const MappingProblem& problem, std::uint64_t most_steps, const Deadline& deadline,
                      Solution& solution) {
  auto bound = static_cast<double>(degree_bound(problem));
  if (const auto instance = hop_instance(problem)) {
    const Cost known = cost_of(*instance, problem.machine, solution.placement);
    const HopProof proof = prove_hop_bytes(*instance, known, {most_steps, deadline});
    if (proof.better) solution.placement = placement_at(*proof.better, problem.traffic.n_ranks());
    solution.proven = proof.proven;
    const auto proof_bound =
        static_cast<double>(problem.worst ? -proof.bound / kScale : proof.bound / kScale);
    bound = problem.worst ? std::min(bound, proof_bound) : std::max(bound, proof_bound);
  }
  solution.bound = Score{{bound}};
  solution.cut_short |= deadline.passed();
}

}  // namespace corewise::proof
