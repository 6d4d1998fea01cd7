/// MultilevelOptions: trees cut out of trees, groups that change places, regions refined each by itself.
#include "solvers/search/multilevel_refinement.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "corewise/random.hpp"
#include "mapping_cases.hpp"
#include "solvers/search/hop_cost.hpp"

namespace corewise::search {
namespace {

using namespace corewise::testing;

std::vector<std::int32_t> in_order(std::int32_t n) {
  std::vector<std::int32_t> slots(n);
  std::iota(slots.begin(), slots.end(), 0);
  return slots;
}

Cost value_of(const Graph& graph, const SlotTree& tree, const std::vector<std::int32_t>& slot_of) {
  WorkMeter work(std::nullopt);
  return HopCost(graph, Mapping(tree, slot_of), 1, work).value();
}

TEST(SlotTree, OfOneGroupHasTheDistancesOfTheWhole) {
  const Machine machine =
      machine_of({two_level_node({3, 5}), two_level_node({1}), two_level_node({2, 2, 7})});
  const SlotTree whole(machine, {});
  for (int level = 0; level <= whole.n_levels(); ++level) {
    for (std::int32_t group = 0; group < whole.n_groups(level); ++group) {
      const SlotTree part = whole.inside(level, group);
      const std::int32_t first = whole.first_slot(level, group);
      ASSERT_EQ(part.n_slots(), whole.group_size(level, group));
      for (std::int32_t a = 0; a < part.n_slots(); ++a) {
        for (std::int32_t b = 0; b < part.n_slots(); ++b)
          EXPECT_EQ(part.distance(a, b), whole.distance(first + a, first + b));
      }
    }
  }
}

TEST(SlotTree, OfUnitsHasTheDistancesOfTheirFirstSlots) {
  const Machine machine =
      machine_of({two_level_node({4, 6}), two_level_node({2}), two_level_node({2, 2, 8})});
  const SlotTree whole(machine, {});
  for (int level = whole.lowest_level(); level <= whole.n_levels(); ++level) {
    const SlotTree units = whole.of_clusters(2, level);
    ASSERT_EQ(units.n_slots(), whole.n_slots() / 2);
    for (std::int32_t a = 0; a < units.n_slots(); ++a) {
      for (std::int32_t b = 0; b < units.n_slots(); ++b) {
        // Below `level` units are as far apart as its groups are wide.
        const int meeting = std::max(level, whole.meeting_level(2 * a, 2 * b));
        EXPECT_EQ(units.distance(a, b), a == b ? 0 : whole.distance_of_level(meeting));
      }
    }
  }
}

TEST(MultilevelOptions, MovesWholeGroupsWhereNoSwapOfTwoRanksHelps) {
  // Pairs 0-1, 2-3, 4-5, 6-7 talk among themselves (100 each), and a byte goes between 0-1 and 4-5 and
  // between 2-3 and 6-7: on nodes of two pairs each, pairs 1 and 2 must change places.
  const Machine machine =
      make_tree_machine(std::vector<std::int32_t>{2, 2, 2}, std::vector<std::uint32_t>{1, 10, 100});
  const SlotTree slots(machine, {});
  const Traffic traffic =
      traffic_of(8, {{0, 1, 100}, {2, 3, 100}, {4, 5, 100}, {6, 7, 100}, {0, 4, 1}, {2, 6, 1}});
  const Graph graph = byte_graph(traffic.folded(), 8);
  Random random(1);
  WorkMeter work(std::nullopt);
  const auto found = refine_groups(graph, slots, in_order(8), {200, 20}, random, work);
  EXPECT_EQ(value_of(graph, slots, in_order(8)), 400 + 200);
  EXPECT_EQ(value_of(graph, slots, found), 400 + 20);
}

TEST(MultilevelOptions, RefinesToAPermutationNoWorseAndTheSameOnAnyNumberOfThreads) {
  Random random(3);
  std::vector<Message> messages;
  for (int i = 0; i < 40'000; ++i) {
    const auto src = static_cast<std::int32_t>(random.below(9000));
    const auto dst = static_cast<std::int32_t>(random.below(9000));
    messages.push_back({src, dst, 1 + random.below(100)});
  }
  const Machine machine =
      make_tree_machine(std::vector<std::int32_t>{6, 10, 150}, std::vector<std::uint32_t>{1, 10, 100});
  const SlotTree slots(machine, {});
  const Graph graph = byte_graph(traffic_of(9000, messages).folded(), 9000);
  const auto found = [&](int threads) {
    Random own(5);
    WorkMeter work(std::nullopt);
    const MultilevelOptions zoom{4, 5, 1, threads};
    return refine_regions(graph, slots, refine_groups(graph, slots, in_order(9000), zoom, own, work), zoom,
                          own, work);
  };
  std::vector<std::int32_t> alone = found(1);
  EXPECT_EQ(found(3), alone);
  EXPECT_LT(value_of(graph, slots, alone), value_of(graph, slots, in_order(9000)));
  std::ranges::sort(alone);
  EXPECT_EQ(alone, in_order(9000));
}

}  // namespace
}  // namespace corewise::search
