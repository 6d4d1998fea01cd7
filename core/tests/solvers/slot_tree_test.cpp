/// SlotTree: cores with capacities other than 1, subtrees, trees of clusters.
#include "solvers/problem/slot_tree.hpp"

#include <gtest/gtest.h>

#include "mapping_cases.hpp"

namespace corewise {
namespace {

using namespace corewise::testing;

TEST(SlotTree, HasNoSlotOnAForbiddenCoreAndTwoWhereTwoRanksFit) {
  const Machine machine = machine_of({two_level_node({2, 1}), two_level_node({2, 2})});
  const SlotTree slots(machine, std::vector<std::int32_t>{0, 2, 1, 1, 1, 1, 0});
  EXPECT_EQ(slots.n_slots(), 6);
  EXPECT_EQ(slots.core(0), slots.core(1));
  EXPECT_EQ(slots.meeting_level(0, 1), 0);
  for (std::int32_t a = 0; a < slots.n_slots(); ++a) {
    for (std::int32_t b = 0; b < slots.n_slots(); ++b) {
      EXPECT_EQ(slots.meeting_level(a, b), machine.meeting_level(slots.core(a), slots.core(b)));
    }
  }
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

TEST(SlotTree, OfClustersHasTheDistancesOfTheirFirstSlots) {
  const Machine machine =
      machine_of({two_level_node({4, 6}), two_level_node({2}), two_level_node({2, 2, 8})});
  const SlotTree whole(machine, {});
  for (int level = whole.lowest_level(); level <= whole.n_levels(); ++level) {
    const SlotTree clusters = whole.of_clusters(2, level);
    ASSERT_EQ(clusters.n_slots(), whole.n_slots() / 2);
    for (std::int32_t a = 0; a < clusters.n_slots(); ++a) {
      for (std::int32_t b = 0; b < clusters.n_slots(); ++b) {
        // Inside a group of `level` all clusters are equally far apart.
        const int meeting = std::max(level, whole.meeting_level(2 * a, 2 * b));
        EXPECT_EQ(clusters.distance(a, b), a == b ? 0 : whole.distance_of_level(meeting));
      }
    }
  }
}

}  // namespace
}  // namespace corewise
