/// Random traffic and instances for tests of proofs.
#pragma once

#include <vector>

#include "random_cases.hpp"
#include "solvers/problem/hop_instance.hpp"

namespace corewise::testing {

inline Traffic random_traffic(std::int32_t n_ranks, std::uint32_t n_messages, Random& random) {
  std::vector<Message> messages;
  for (std::uint32_t i = 0; i < n_messages; ++i) {
    messages.push_back({static_cast<std::int32_t>(random.below(n_ranks)),
                        static_cast<std::int32_t>(random.below(n_ranks)), 1 + random.below(20)});
  }
  return traffic_of(n_ranks, messages);
}

inline Machine tree(const std::vector<std::int32_t>& arities, const std::vector<std::uint32_t>& distances) {
  return make_tree_machine(arities, distances);
}

inline PlacedProblem hop_bytes_problem(const Traffic& traffic, const Machine& machine, bool worst) {
  return with_places({traffic, machine, objective("hop-bytes"), worst});
}

inline const DistanceSum& distance_form(const PlacedProblem& problem) {
  return std::get<DistanceSum>(problem.form);
}

inline HopInstance instance_of(const Traffic& traffic, const Machine& machine, bool worst) {
  const PlacedProblem problem = hop_bytes_problem(traffic, machine, worst);
  return hop_instance(distance_form(problem), problem).value();
}

}  // namespace corewise::testing
