/// load_instance(): numbers the ranks of a domain and collects the weights between them.
#include "solvers/exact/load_instance.hpp"

#include <algorithm>
#include <functional>

namespace corewise::exact {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 50;

}  // namespace

std::optional<LoadInstance> load_instance(const CoreTree& tree, const bounds::Domain& domain,
                                          const PairGraph& graph) {
  const std::int32_t n_places = tree.objects().back().capacity;
  if (n_places > kMostPlaces) return std::nullopt;
  LoadInstance instance;
  instance.n = n_places;
  instance.classes = tree.classes();
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

}  // namespace corewise::exact
