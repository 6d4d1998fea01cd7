/// Kinds from the shapes of a CoreTree, vertices from a domain's ranks.
#include "solvers/proof/split_instance.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace corewise::proof {
namespace {

constexpr std::int32_t kMostPlaces = 64;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 50;

/// Shapes as kinds, in the order in which their first object stands in the tree: children before parents.
void find_kinds(const CoreTree& tree, SplitInstance& instance) {
  std::vector<Kind>& kinds = instance.kinds;
  std::map<std::int32_t, int> kind_of_shape;
  for (const CoreTree::Object& object : tree.objects()) {
    const auto known = kind_of_shape.find(object.shape);
    if (object.capacity == 0 || known != kind_of_shape.end()) {
      instance.kind_of_object.push_back(object.capacity == 0 ? -1 : known->second);
      continue;
    }
    Kind kind{0, object.capacity, {}};
    std::map<int, int> count;
    for (const std::int32_t child : object.children) {
      if (tree.objects()[child].capacity > 0) ++count[kind_of_shape.at(tree.objects()[child].shape)];
    }
    kind.children.assign(count.begin(), count.end());
    if (!kind.children.empty()) kind.level = kinds[kind.children.front().first].level + 1;
    instance.kind_of_object.push_back(static_cast<int>(kinds.size()));
    kind_of_shape.emplace(object.shape, instance.kind_of_object.back());
    kinds.push_back(std::move(kind));
  }
}

}  // namespace

Cost SplitInstance::cut(Subset set) const {
  Cost sum = 0;
  const Subset others = all() & ~set;
  for_each_vertex(set, [&](int u) { for_each_vertex(others, [&](int v) { sum += between(u, v); }); });
  return sum;
}

std::optional<SplitInstance> split_instance(const CoreTree& tree, const Domain& domain,
                                            const PairGraph& graph) {
  const std::int32_t n_places = tree.objects().back().capacity;
  if (n_places > kMostPlaces) return std::nullopt;
  SplitInstance instance;
  instance.n = n_places;
  find_kinds(tree, instance);
  instance.rank = domain.ranks;
  std::vector<int> vertex(graph.n_ranks(), -1);
  const auto degree = [&](Rank rank) {
    std::uint64_t sum = 0;
    for (const PairTraffic& pair : graph.partners(rank)) sum += vertex[raw(pair.peer)] >= 0 ? pair.bytes : 0;
    return sum;
  };
  for (const Rank rank : domain.ranks) vertex[raw(rank)] = 0;
  std::ranges::stable_sort(instance.rank, std::greater{}, degree);
  for (std::size_t v = 0; v < instance.rank.size(); ++v) vertex[raw(instance.rank[v])] = static_cast<int>(v);
  std::uint64_t total = 0;
  for (const Rank rank : instance.rank) total += degree(rank);
  if (total > kMostBytes) return std::nullopt;
  instance.weight.assign(static_cast<std::size_t>(n_places) * n_places, 0);
  for (std::size_t u = 0; u < instance.rank.size(); ++u) {
    for (const PairTraffic& pair : graph.partners(instance.rank[u])) {
      const int v = vertex[raw(pair.peer)];
      if (v >= 0) instance.weight[u * n_places + v] = static_cast<Cost>(pair.bytes);
    }
  }
  return instance;
}

}  // namespace corewise::proof
