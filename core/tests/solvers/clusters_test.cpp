/// Unit starts: kinds of units, and what mapping them whole finds.
#include "solvers/search/construction/clusters.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <optional>
#include <set>

#include "corewise/machine.hpp"
#include "solvers/search/hop_cost.hpp"

namespace corewise::search {
namespace {

SlotTree slots_of_tree(const std::vector<std::int32_t>& arities) {
  std::vector<std::uint32_t> distances;
  for (std::uint32_t distance = 1; distances.size() < arities.size(); distance *= 10)
    distances.push_back(distance);
  return SlotTree(make_tree_machine(arities, distances), {});
}

/// Step k exchanges 2^k bytes with rank ^ 2^k; partners beyond n are left out.
Graph recursive_doubling(std::int32_t n) {
  Graph graph;
  for (std::int32_t v = 0; v < n; ++v) {
    for (std::int32_t step = 1; step < n; step *= 2) {
      if ((v ^ step) < n) graph.edges.push_back({v ^ step, step});
    }
    graph.start.push_back(static_cast<std::uint32_t>(graph.edges.size()));
  }
  return graph;
}

Cost value_of(const Graph& graph, const SlotTree& tree, const std::vector<std::int32_t>& slot_of) {
  WorkMeter work(std::nullopt);
  return HopCost(graph, Mapping(tree, slot_of), 1, work).value();
}

TEST(Units, ArePairsTriplesAndFoursThatFillTheGroupsOfALevel) {
  std::vector<std::pair<std::int32_t, int>> kinds;
  for (const ClusterScheme& kind : cluster_schemes(slots_of_tree({6, 2, 11})))
    kinds.emplace_back(kind.size, kind.level);
  EXPECT_EQ(kinds, (std::vector<std::pair<std::int32_t, int>>{{2, 1}, {3, 1}, {2, 2}, {3, 2}, {4, 2}}));
}

TEST(Units, FillNoGroupsOfFive) {
  EXPECT_TRUE(cluster_schemes(slots_of_tree({5, 7})).empty());
  EXPECT_EQ(cluster_schemes(slots_of_tree({5, 2, 7})).size(), 1u);  // pairs in the groups of ten
}

TEST(Units, StartsArePermutationsForEveryKind) {
  // On {2, 8} and {3, 5} a unit is a whole group, and it makes no difference where it goes.
  for (const auto& arities : {std::vector<std::int32_t>{6, 2, 11}, {2, 8}, {3, 5}, {2, 2, 4}, {12, 2}}) {
    const SlotTree tree = slots_of_tree(arities);
    const Graph graph = recursive_doubling(tree.n_slots());
    WorkMeter work(std::nullopt);
    const std::vector<ClusterScheme> kinds = cluster_schemes(tree);
    ASSERT_FALSE(kinds.empty());
    for (const ClusterScheme& kind : kinds) {
      Random random(7);
      const std::vector<std::int32_t> start = place_clusters(graph, tree, kind, random, work);
      const std::set<std::int32_t> slots(start.begin(), start.end());
      EXPECT_EQ(std::ssize(slots), tree.n_slots());
      EXPECT_EQ(*slots.begin(), 0);
      EXPECT_EQ(*slots.rbegin(), tree.n_slots() - 1);
    }
  }
}

TEST(Units, OfSilentRanksAloneAreStartsToo) {
  const SlotTree tree = slots_of_tree({2, 3});
  Graph graph;
  graph.start.assign(7, 0);
  Random random(1);
  WorkMeter work(std::nullopt);
  const std::vector<std::int32_t> start = place_clusters(graph, tree, {2, 1}, random, work);
  EXPECT_EQ(std::set<std::int32_t>(start.begin(), start.end()).size(), 6u);
}

TEST(Units, TriplesOfRecursiveDoublingBeatBlockOrderByFar) {
  const SlotTree tree = slots_of_tree({6, 2, 11});
  const Graph graph = recursive_doubling(tree.n_slots());
  std::vector<std::int32_t> block(tree.n_slots());
  std::iota(block.begin(), block.end(), 0);
  Random random(7);
  WorkMeter work(std::nullopt);
  const std::vector<std::int32_t> start = place_clusters(graph, tree, {3, 2}, random, work);
  EXPECT_LT(value_of(graph, tree, start), value_of(graph, tree, block) / 2);
}

}  // namespace
}  // namespace corewise::search
