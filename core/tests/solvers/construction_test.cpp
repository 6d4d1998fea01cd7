/// Starts of the engine: bottom-up groups, curves.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "corewise/random.hpp"
#include "mapping_cases.hpp"
#include "solvers/patterns/grid_mappings.hpp"
#include "solvers/search/construction/bottom_up.hpp"
#include "solvers/search/hop_cost.hpp"

namespace corewise::search {
namespace {

using namespace corewise::testing;

bool is_permutation_of_slots(std::vector<std::int32_t> slot_of) {
  std::vector<std::int32_t> all(slot_of.size());
  std::iota(all.begin(), all.end(), 0);
  std::ranges::sort(slot_of);
  return slot_of == all;
}

Cost cost_of(const Graph& graph, const SlotTree& tree, const std::vector<std::int32_t>& slot_of) {
  WorkMeter work(std::nullopt);
  return HopCost(graph, Mapping(tree, slot_of), 1, work).value();
}

TEST(BottomUp, CutsARingOnceBetweenGroups) {
  const SlotTree tree(make_tree_machine(std::vector{4, 3}, std::vector{1u, 10u}), {});
  const Graph graph = byte_graph(ring(12).folded(), 12);
  for (int seed = 0; seed < 10; ++seed) {
    Random random(seed);
    WorkMeter work(std::nullopt);
    EXPECT_EQ(cost_of(graph, tree, bottom_up(graph, tree, random, work)), 3 * 10 + 9);
  }
}

TEST(BottomUp, SwapsPartnersTogetherThatGrewApart) {
  // Rank i talks most to i + 6, and a little to the next one.
  std::vector<Message> messages;
  for (std::int32_t rank = 0; rank < 6; ++rank) {
    messages.push_back({rank, rank + 6, 100});
    messages.push_back({rank, (rank + 1) % 6, 1});
  }
  const SlotTree tree(make_tree_machine(std::vector{2, 6}, std::vector{1u, 10u}), {});
  const Graph graph = byte_graph(traffic_of(12, messages).folded(), 12);
  Random random(1);
  WorkMeter work(std::nullopt);
  EXPECT_EQ(cost_of(graph, tree, bottom_up(graph, tree, random, work)), 6 * 100 + 6 * 10);
}

TEST(BottomUp, FillsEverySlotOnceWithSilentRanksAndSeveralLevels) {
  Random random(3);
  const SlotTree tree(make_tree_machine(std::vector{3, 1, 2, 5}, std::vector{1u, 5u, 10u, 100u}), {});
  for (int round = 0; round < 50; ++round) {
    const auto n_ranks = static_cast<std::int32_t>(2 + random.below(29));
    std::vector<Message> messages;
    for (std::uint32_t i = 0; i < random.below(100); ++i) {
      messages.push_back({static_cast<std::int32_t>(random.below(n_ranks)),
                          static_cast<std::int32_t>(random.below(n_ranks)), 1 + random.below(9)});
    }
    const Graph graph = byte_graph(traffic_of(n_ranks, messages).folded(), tree.n_slots());
    WorkMeter work(std::nullopt);
    EXPECT_TRUE(is_permutation_of_slots(bottom_up(graph, tree, random, work)));
  }
}

TEST(Curve, HalvesAGridIntoSquares) {
  // 4 x 4 on 4 nodes of 4: squares of 2 x 2 cut 8 of 24 edges.
  const SlotTree tree(make_tree_machine(std::vector{4, 4}, std::vector{1u, 10u}), {});
  const patterns::GridShape shape{{1, 4, 4}, {0, 12, 12}};
  std::vector<Message> messages;
  for (std::int32_t rank = 0; rank < 16; ++rank) {
    if (rank % 4 < 3) messages.push_back({rank, rank + 1, 1});
    if (rank < 12) messages.push_back({rank, rank + 4, 1});
  }
  const Graph graph = byte_graph(traffic_of(16, messages).folded(), 16);
  EXPECT_EQ(cost_of(graph, tree, patterns::bisection_curve(tree, shape)), 8 * 10 + 16);
}

TEST(Curve, LeavesTheLastSlotsFree) {
  const SlotTree tree(make_tree_machine(std::vector{4, 4}, std::vector{1u, 10u}), {});
  const std::vector<std::int32_t> slot_of = patterns::bisection_curve(tree, {{1, 5, 3}, {0, 12, 10}});
  EXPECT_TRUE(is_permutation_of_slots(slot_of));
  EXPECT_EQ(slot_of.back(), 15);
}

}  // namespace
}  // namespace corewise::search
