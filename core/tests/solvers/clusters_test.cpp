/// Mapping by clusters: the schemes that a tree allows, and the mappings that they give.
#include "solvers/search/construction/clusters.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
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

TEST(GroupVertices, CutsARingOnceBetweenGroups) {
  const Graph graph = graph_of(ring(12), 12);
  for (int seed = 0; seed < 10; ++seed) {
    Random random(seed);
    WorkMeter work(std::nullopt);
    const std::vector<std::int32_t> group_of = group_vertices(graph, 4, random, work);
    for (const std::int32_t group : {0, 1, 2}) EXPECT_EQ(std::ranges::count(group_of, group), 4);
    int n_cut = 0;
    for (std::int32_t v = 0; v < 12; ++v) n_cut += group_of[v] != group_of[(v + 1) % 12];
    EXPECT_EQ(n_cut, 3);
  }
}

TEST(GroupVertices, BringsPartnersTogetherBySwaps) {
  // Rank i exchanges most with rank i + 6, and a little with rank i + 1.
  std::vector<Message> messages;
  for (std::int32_t rank = 0; rank < 6; ++rank) {
    messages.push_back({rank, rank + 6, 100});
    messages.push_back({rank, (rank + 1) % 6, 1});
  }
  Random random(1);
  WorkMeter work(std::nullopt);
  const std::vector<std::int32_t> group_of =
      group_vertices(graph_of(traffic_of(12, messages), 12), 2, random, work);
  for (std::int32_t rank = 0; rank < 6; ++rank) EXPECT_EQ(group_of[rank], group_of[rank + 6]);
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
