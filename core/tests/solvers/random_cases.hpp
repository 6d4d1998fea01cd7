/// Random machines and traffic, small enough to enumerate every placement.
#pragma once

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <vector>

#include "corewise/random.hpp"
#include "corewise/solver.hpp"
#include "mapping_cases.hpp"
#include "refusal.hpp"
#include "solvers/problem/placed_problem.hpp"
#include "solvers/problem/slots.hpp"

namespace corewise::testing {

struct UnevenCase {
  Machine machine;
  Traffic traffic;
  std::vector<std::int32_t> capacity;
};

/// One or two nodes of different packages, at most seven cores, some of them forbidden or shared.
inline UnevenCase uneven_case(Random& random) {
  std::vector<NodeShape> shapes;
  std::int32_t left = 7;
  for (std::uint32_t node = 0; node < 1 + random.below(2); ++node) {
    std::vector<std::int32_t> packages;
    for (std::uint32_t package = 0; package < 1 + random.below(3) && left > 0; ++package) {
      packages.push_back(1 + static_cast<std::int32_t>(random.below(std::min(left, 3))));
      left -= packages.back();
    }
    if (!packages.empty()) shapes.push_back(two_level_node(packages));
  }
  UnevenCase found{machine_of(std::move(shapes)), {}, {}};
  found.capacity.assign(found.machine.n_cores(), 1);
  if (random.below(3) == 0) {
    for (std::int32_t& capacity : found.capacity) capacity = static_cast<std::int32_t>(random.below(3));
    found.capacity.front() = 1;
  }
  const std::int32_t places = std::accumulate(found.capacity.begin(), found.capacity.end(), 0);
  const std::int32_t n_ranks =
      std::min(6, places - static_cast<std::int32_t>(random.below(2) * (places > 2)));
  for (std::uint32_t phase = 0; phase < 1 + random.below(2); ++phase) {
    std::vector<MatrixEntry> entries;
    for (std::uint32_t i = 0; i < 3 + random.below(20); ++i) {
      entries.push_back({Rank{static_cast<std::int32_t>(random.below(n_ranks))},
                         Rank{static_cast<std::int32_t>(random.below(n_ranks))}, 1 + random.below(900),
                         1 + random.below(3)});
    }
    found.traffic.phases.push_back({1 + random.below(3), CommMatrix::from_entries(n_ranks, entries)});
  }
  return found;
}

/// Calls use(placement) for every placement that the problem allows.
inline void for_each_placement(const PlacedProblem& problem,
                               const std::function<void(const Placement&)>& use) {
  std::vector<std::int32_t> left = problem.places.capacity;
  std::vector<std::int32_t> cores;
  const std::vector<NodeIndex> node =
      problem.objective.keeps_nodes ? given_nodes(problem) : std::vector<NodeIndex>();
  const std::function<void()> place_next = [&] {
    if (std::ssize(cores) == problem.traffic.n_ranks()) return use(placed(cores));
    for (std::int32_t core = 0; core < problem.machine.n_cores(); ++core) {
      if (left[core] == 0) continue;
      if (!node.empty() && problem.machine.node_of(CoreIndex{core}) != node[cores.size()]) continue;
      --left[core];
      cores.push_back(core);
      place_next();
      cores.pop_back();
      ++left[core];
    }
  };
  place_next();
}

inline Score score_of(const MappingProblem& problem, const Placement& placement) {
  return problem.objective.evaluate(problem.traffic, problem.machine, placement);
}

/// The best (or worst) score of all placements that the problem allows.
inline std::optional<Score> enumerated(const PlacedProblem& problem) {
  std::optional<Score> best;
  for_each_placement(problem, [&](const Placement& placement) {
    if (!keeps_constraints(problem, placement)) return;
    Score score = score_of(problem, placement);
    if (!best || (problem.worst ? score > *best : score < *best)) best = std::move(score);
  });
  return best;
}

}  // namespace corewise::testing
