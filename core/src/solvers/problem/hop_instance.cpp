/// HopInstance: built from a problem with an objective of the form DistanceSum.
#include "solvers/problem/hop_instance.hpp"

#include <algorithm>
#include <numeric>

#include "solvers/problem/core_tree.hpp"

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

/// Fills in classes, positions and objects. Objects above the lowest one that holds all places are left out.
void describe_tree(const CoreTree& tree, HopInstance& instance) {
  instance.classes = tree.classes();
  instance.n = instance.classes.back().size;
  while (instance.classes.back().has_single_child()) instance.classes.pop_back();
  std::vector<Subset> positions(tree.objects().size(), 0);
  for (std::size_t object = 0; object < positions.size(); ++object) {
    const CoreTree::Object& at = tree.objects()[object];
    if (at.class_id < 0 || at.class_id > instance.root()) continue;
    if (at.children.empty()) {
      positions[object] = Subset{1} << instance.core.size();
      instance.core.push_back(at.core);
    }
    for (const std::int32_t child : at.children) positions[object] |= positions[child];
    instance.objects.push_back({at.class_id, positions[object]});
  }
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

  HopInstance instance;
  describe_tree(CoreTree(machine, capacity, machine.n_levels(), CoreIndex{0}), instance);
  if (!ChildrenLeft::can_count(instance.classes) || instance.n_levels() == 0) return std::nullopt;
  instance.distance.push_back(0);
  instance.distance.insert(instance.distance.end(), form.distance.begin(), form.distance.end());
  instance.weight.assign(static_cast<std::size_t>(instance.n) * instance.n, 0);
  const PairGraph graph(folded);
  for (std::int32_t rank = 0; rank < graph.n_ranks(); ++rank) {
    for (const PairTraffic& pair : graph.partners(Rank{rank})) {
      const auto bytes = static_cast<Cost>(pair.bytes);
      instance.weight[rank * instance.n + raw(pair.peer)] = problem.worst ? -bytes : bytes;
    }
  }
  instance.granularity = granularity_of(instance);
  return instance;
}

}  // namespace corewise
