/// Mapping by clusters: the schemes that a tree allows, and the mappings that they give.
#include "solvers/search/construction/clusters.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "search_cases.hpp"

namespace corewise::search {
namespace {

using namespace corewise::testing;

TEST(ClusterSchemes, ArePairsTriplesAndFoursThatFillTheGroupsOfALevel) {
  std::vector<std::pair<std::int32_t, int>> schemes;
  for (const ClusterScheme& scheme : cluster_schemes(slot_tree({6, 2, 11})))
    schemes.emplace_back(scheme.size, scheme.level);
  EXPECT_EQ(schemes, (std::vector<std::pair<std::int32_t, int>>{{2, 1}, {3, 1}, {2, 2}, {3, 2}, {4, 2}}));
}

TEST(ClusterSchemes, FillNoGroupsOfFive) {
  EXPECT_TRUE(cluster_schemes(slot_tree({5, 7})).empty());
  EXPECT_EQ(cluster_schemes(slot_tree({5, 2, 7})).size(), 1u);  // pairs in the groups of ten
}

TEST(MapClusters, GivesAPermutationForEveryScheme) {
  // On {2, 8} and {3, 5} a cluster is a whole group, and every mapping of the clusters costs the same.
  for (const auto& arities : {std::vector<std::int32_t>{6, 2, 11}, {2, 8}, {3, 5}, {2, 2, 4}, {12, 2}}) {
    const SlotTree tree = slot_tree(arities);
    const Graph graph = recursive_doubling_graph(tree.n_slots());
    WorkMeter work(std::nullopt);
    const std::vector<ClusterScheme> schemes = cluster_schemes(tree);
    ASSERT_FALSE(schemes.empty());
    for (const ClusterScheme& scheme : schemes) {
      Random random(7);
      EXPECT_TRUE(is_permutation(map_clusters(graph, tree, scheme, random, work)));
    }
  }
}

TEST(MapClusters, MapsRanksThatDoNotCommunicate) {
  const SlotTree tree = slot_tree({2, 3});
  Graph graph;
  graph.start.assign(7, 0);
  Random random(1);
  WorkMeter work(std::nullopt);
  EXPECT_TRUE(is_permutation(map_clusters(graph, tree, {2, 1}, random, work)));
}

TEST(MapClusters, CostsLessThanHalfOfBlockOrderForRecursiveDoublingInTriples) {
  const SlotTree tree = slot_tree({6, 2, 11});
  const Graph graph = recursive_doubling_graph(tree.n_slots());
  Random random(7);
  WorkMeter work(std::nullopt);
  const HopModel model{graph, tree};
  EXPECT_LT(hop_bytes(model, map_clusters(graph, tree, {3, 2}, random, work)),
            hop_bytes(model, identity_mapping(tree.n_slots())) / 2);
}

}  // namespace
}  // namespace corewise::search
