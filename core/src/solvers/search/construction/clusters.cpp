/// Mapping by clusters: joins ranks, maps and anneals the clusters, then maps ranks inside their groups.
#include "solvers/search/construction/clusters.hpp"

#include <utility>

#include "solvers/search/anneal_hops.hpp"
#include "solvers/search/construction/bottom_up.hpp"
#include "solvers/search/construction/coarsen.hpp"
#include "solvers/search/construction/multisection.hpp"
#include "solvers/search/search_parameters.hpp"

namespace corewise::search {
namespace {

bool fills_groups(const SlotTree& tree, const ClusterScheme& scheme) {
  for (std::int32_t group = 0; group < tree.n_groups(scheme.level); ++group) {
    if (tree.group_size(scheme.level, group) % scheme.size != 0) return false;
  }
  return true;
}

}  // namespace

std::vector<ClusterScheme> cluster_schemes(const SlotTree& tree) {
  std::vector<ClusterScheme> schemes;
  for (int level = tree.lowest_level(); level < tree.n_levels(); ++level) {
    if (tree.n_groups(level) == tree.n_groups(level + 1)) continue;
    for (const std::int32_t size : {2, 3, 4}) {
      if (fills_groups(tree, {size, level})) schemes.push_back({size, level});
    }
  }
  return schemes;
}

SlotOfVertex map_clusters(const Graph& graph, const SlotTree& tree, const ClusterScheme& scheme,
                          Random& random, WorkMeter& work) {
  const std::vector<std::int32_t> cluster_of = group_vertices(graph, scheme.size, random, work);
  const Graph clusters = contract(graph, cluster_of, work);
  const SlotTree cluster_tree = tree.of_clusters(scheme.size, scheme.level);
  SlotOfVertex slot_of_cluster = multisection(clusters, cluster_tree, random, work);
  slot_of_cluster = anneal_vertices({clusters, cluster_tree}, std::move(slot_of_cluster),
                                    kCommon.cluster_percent, kCommon.proposals_per_cluster, random, work);
  SlotOfVertex slot_of(graph.n());
  std::vector<std::int32_t> n_members(clusters.n(), 0);
  for (std::int32_t v = 0; v < graph.n(); ++v) {
    slot_of[v] = slot_of_cluster[cluster_of[v]] * scheme.size + n_members[cluster_of[v]]++;
  }
  return multisection_inside(graph, tree, slot_of, scheme.level, random, work);
}

}  // namespace corewise::search
