/// Duals from cliques: by hand, feasible for all sets, and on a halo exchange whose worst placement is known.
#include "solvers/exact/clique_duals.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "corewise/random.hpp"
#include "random_cases.hpp"
#include "solvers/exact/subset_pricing.hpp"

namespace corewise {
namespace {

using namespace corewise::testing;

HopInstance worst_instance(const Traffic& traffic, const Machine& machine) {
  return hop_instance(with_places({traffic, machine, objective("hop-bytes"), true})).value();
}

exact::SetPartitioning lowest_groups(const HopInstance& instance) {
  return {instance, 1, instance.factor(1), exact::Duals::zero(instance)};
}

TEST(CliqueDuals, PutTwoPairsOfFourTogetherOnTwoGroups) {
  // All four exchange 4 bytes: two groups of two hold two of the six pairs, 9 nearer each.
  const Traffic traffic = traffic_of(4, {{0, 1, 4}, {0, 2, 4}, {0, 3, 4}, {1, 2, 4}, {1, 3, 4}, {2, 3, 4}});
  const auto instance = worst_instance(traffic, make_tree_machine(std::vector{2, 2}, std::vector{1u, 10u}));
  EXPECT_EQ(clique_duals(lowest_groups(instance)).objective(instance), kCostScale * 2 * 4 * 9);
}

TEST(CliqueDuals, AreNothingWhereEveryCliqueFitsTheGroupsOneByOne) {
  const Traffic triangle = traffic_of(9, {{0, 1, 4}, {1, 2, 4}, {2, 0, 4}});
  const auto instance = worst_instance(triangle, make_tree_machine(std::vector{3, 3}, std::vector{1u, 10u}));
  EXPECT_EQ(clique_duals(lowest_groups(instance)).objective(instance), 0);
}

TEST(CliqueDuals, AreFeasibleForEverySetAlsoWhereGroupsDiffer) {
  Random random(3);
  const std::vector<Machine> machines{make_tree_machine(std::vector{5, 2}, std::vector{1u, 10u}),
                                      machine_of({two_level_node({5, 3, 2})})};
  for (int sample = 0; sample < 20; ++sample) {
    std::vector<Message> messages;
    for (int i = 0; i < 10 + 2 * sample; ++i) {
      messages.push_back({static_cast<std::int32_t>(random.below(10)),
                          static_cast<std::int32_t>(random.below(10)), 1 + random.below(9)});
    }
    for (const Machine& machine : machines) {
      const auto instance = worst_instance(traffic_of(10, messages), machine);
      const exact::SetPartitioning partitioning = lowest_groups(instance);
      for (const Cost share : price_all_sets(partitioning, clique_duals(partitioning)).share)
        EXPECT_GE(share, 0);
    }
  }
}

TEST(CliqueDuals, AreTightForTwentySixNeighboursOnFourNodes) {
  // Each of the 27 blocks of 2 x 2 x 2 neighbours has a byte of every pair to itself, and 8 ranks on 4 nodes
  // make 4 pairs: 108 bytes. Nodes that hold the ranks of two opposite corners of all blocks reach that.
  std::vector<Message> messages;
  for (int a = 0; a < 64; ++a) {
    for (int b = 0; b < a; ++b) {
      const int x = std::abs(a % 4 - b % 4), y = std::abs(a / 4 % 4 - b / 4 % 4),
                z = std::abs(a / 16 - b / 16);
      if (x <= 1 && y <= 1 && z <= 1) messages.push_back({a, b, std::uint64_t{1} << 2 * (3 - x - y - z)});
    }
  }
  const auto instance =
      worst_instance(traffic_of(64, messages), make_tree_machine(std::vector{16, 4}, std::vector{1u, 10u}));
  EXPECT_EQ(clique_duals(lowest_groups(instance)).objective(instance), kCostScale * 108 * 9);
}

}  // namespace
}  // namespace corewise
