/// Regular trees recognised, weights scaled and signed.
#include "solvers/proof/hop_instance.hpp"

#include <algorithm>
#include <numeric>

namespace corewise::proof {
namespace {

constexpr std::int32_t kMostCores = 64;

/// Sizes of the groups of each level, where all groups of a level are equal.
std::optional<std::vector<int>> regular_sizes(const Machine& machine) {
  std::vector<int> sizes;
  for (int level = 0; level <= machine.n_levels(); ++level) {
    const std::int32_t n_groups = machine.n_groups(level);
    std::vector<std::int32_t> members(n_groups, 0);
    for (std::int32_t core = 0; core < machine.n_cores(); ++core)
      ++members[machine.group(level, CoreIndex{core})];
    if (std::ranges::adjacent_find(members, std::ranges::not_equal_to{}) != members.end())
      return std::nullopt;
    sizes.push_back(members.front());
  }
  return sizes;
}

/// What moves between levels is whole messages' bytes, each times a difference of distances.
Cost grain_of(const HopInstance& instance) {
  Cost bytes = 0, farther = 0;
  for (const Cost weight : instance.weight) bytes = std::gcd(bytes, weight);
  for (int level = 1; level < instance.n_levels(); ++level) {
    farther = std::gcd(farther, instance.distance[level + 1] - instance.distance[level]);
  }
  return kScale * std::max<Cost>(bytes * farther, 1);
}

}  // namespace

Cost HopInstance::inside(Subset set) const {
  Cost sum = 0;
  for_each_vertex(set, [&](int u) {
    set &= set - 1;
    for_each_vertex(set, [&](int v) { sum += between(u, v); });
  });
  return sum;
}

std::optional<HopInstance> hop_instance(const MappingProblem& problem) {
  const Machine& machine = problem.machine;
  if (machine.n_cores() > kMostCores || machine.n_levels() == 0) return std::nullopt;
  if (problem.places.choosy) return std::nullopt;
  if (std::ranges::any_of(problem.places.capacity, [](std::int32_t capacity) { return capacity != 1; })) {
    return std::nullopt;
  }
  auto sizes = regular_sizes(machine);
  if (!sizes) return std::nullopt;
  const CommMatrix folded = problem.traffic.folded();
  Cost most = 0;
  if (__builtin_mul_overflow(static_cast<Cost>(folded.bytes()), kScale * 4, &most) ||
      __builtin_mul_overflow(most, static_cast<Cost>(machine.levels().back().distance), &most)) {
    return std::nullopt;
  }

  HopInstance instance;
  instance.n = machine.n_cores();
  instance.size = std::move(*sizes);
  instance.distance.push_back(0);
  for (const Level& level : machine.levels()) instance.distance.push_back(level.distance);
  instance.weight.assign(static_cast<std::size_t>(instance.n) * instance.n, 0);
  const PairGraph graph(folded);
  for (std::int32_t rank = 0; rank < graph.n_ranks(); ++rank) {
    for (const PairTraffic& pair : graph.partners(Rank{rank})) {
      const auto bytes = static_cast<Cost>(pair.bytes);
      instance.weight[rank * instance.n + raw(pair.peer)] = problem.worst ? -bytes : bytes;
    }
  }
  instance.grain = grain_of(instance);
  return instance;
}

}  // namespace corewise::proof
