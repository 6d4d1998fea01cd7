/// The tree's classes and objects, weights scaled and signed.
#include "solvers/problem/hop_instance.hpp"

#include <algorithm>
#include <numeric>

namespace corewise {
namespace {

constexpr std::int64_t kMostPlaces = 64;

/// What moves between levels is whole messages' bytes, each times a difference of distances.
Cost granularity_of(const HopInstance& instance) {
  Cost bytes = 0, farther = 0;
  for (const Cost weight : instance.weight) bytes = std::gcd(bytes, weight);
  for (int level = 1; level < instance.n_levels(); ++level) {
    farther = std::gcd(farther, instance.distance[level + 1] - instance.distance[level]);
  }
  return kCostScale * std::max<Cost>(bytes * farther, 1);
}

/// Classes, positions and objects, without levels above the lowest object that has all places.
void describe_tree(const CoreTree& tree, HopInstance& instance) {
  TreeClasses found = isomorphism_classes(tree);
  instance.n = found.classes.back().size;
  instance.classes = std::move(found.classes);
  while (instance.classes.back().has_single_child()) instance.classes.pop_back();
  std::vector<Subset> positions(tree.objects().size(), 0);
  for (std::size_t object = 0; object < positions.size(); ++object) {
    const CoreTree::Object& at = tree.objects()[object];
    const int class_id = found.of_object[object];
    if (class_id < 0 || class_id > instance.root()) continue;
    if (at.children.empty()) {
      positions[object] = Subset{1} << instance.core.size();
      instance.core.push_back(at.core);
    }
    for (const std::int32_t child : at.children) positions[object] |= positions[child];
    instance.objects.push_back({class_id, positions[object]});
  }
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

std::vector<int> HopInstance::classes_of(int level) const {
  std::vector<int> found;
  for (std::size_t class_id = 0; class_id < classes.size(); ++class_id) {
    if (classes[class_id].level == level) found.push_back(static_cast<int>(class_id));
  }
  return found;
}

std::optional<HopInstance> hop_instance(const PlacedProblem& problem) {
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
      __builtin_mul_overflow(most, static_cast<Cost>(machine.levels().back().distance), &most)) {
    return std::nullopt;
  }

  HopInstance instance;
  describe_tree(CoreTree(machine, capacity, machine.n_levels(), CoreIndex{0}), instance);
  const bool many = std::ranges::any_of(instance.classes, [](const IsomorphismClass& each) {
    return each.children.size() > ChildrenLeft::kMostClasses;
  });
  if (many || instance.n_levels() == 0) return std::nullopt;
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
  instance.granularity = granularity_of(instance);
  return instance;
}

}  // namespace corewise
