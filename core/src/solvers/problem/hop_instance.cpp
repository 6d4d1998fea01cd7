/// HopInstance: built from a problem with an objective of the form DistanceSum.
#include "solvers/problem/hop_instance.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace corewise {
namespace {

/// The costs of two placements differ by sums of (bytes of a pair) x (difference of two distances), that is,
/// by a multiple of the product of the greatest common divisors of both factors.
Cost granularity_of(const HopInstance& instance) {
  Cost bytes = 0, farther = 0;
  for (const Cost weight : instance.weight) bytes = std::gcd(bytes, weight);
  for (int level = 1; level < instance.n_levels(); ++level) {
    farther = std::gcd(farther, instance.distance[level + 1] - instance.distance[level]);
  }
  return kCostScale * std::max<Cost>(bytes * farther, 1);
}

}  // namespace

std::optional<HopInstance> hop_instance(const DistanceSum& form, const PlacedProblem& problem) {
  const Machine& machine = problem.machine;
  const std::vector<std::int32_t>& capacity = problem.places.capacity;
  if (problem.places.constrained || std::ranges::any_of(capacity, [](std::int32_t c) { return c > 1; }) ||
      std::accumulate(capacity.begin(), capacity.end(), std::int64_t{0}) > kMostPlaces) {
    return std::nullopt;
  }
  const CommMatrix folded = problem.traffic.folded();
  Cost most = 0;
  if (machine.n_levels() == 0 ||
      __builtin_mul_overflow(static_cast<Cost>(folded.bytes()), kCostScale * 4, &most) ||
      __builtin_mul_overflow(most, static_cast<Cost>(form.distance.back()), &most)) {
    return std::nullopt;
  }

  std::vector<Rank> ranks;
  for (std::int32_t rank = 0; rank < folded.n_ranks(); ++rank) ranks.push_back(Rank{rank});
  HopInstance instance{
      {CoreTree(machine, capacity, machine.n_levels(), CoreIndex{0}), std::move(ranks), PairGraph(folded)},
      {0}};
  while (instance.classes.back().has_single_child()) instance.classes.pop_back();
  if (!ChildrenLeft::can_count(instance.classes) || instance.n_levels() == 0) return std::nullopt;
  instance.distance.insert(instance.distance.end(), form.distance.begin(), form.distance.end());
  for (Cost& weight : instance.weight) weight = problem.worst ? -weight : weight;
  instance.granularity = granularity_of(instance);
  return instance;
}

}  // namespace corewise
