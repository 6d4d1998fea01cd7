/// Colourings with few conflicts against the `exact` solver, and on a stencil that has one without any.
#include "solvers/exact/colouring.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "corewise/random.hpp"
#include "random_cases.hpp"

namespace corewise {
namespace {

using namespace corewise::testing;

constexpr Cost kAnyCost = Cost{1} << 50;

struct Colouring {
  Colouring(const Traffic& traffic, const Machine& machine)
      : instance(hop_instance(with_places({traffic, machine, objective("hop-bytes"), true})).value()),
        duals(instance.n_levels(), exact::Duals::zero(instance)) {}

  exact::PartitionResult search(Cost most_cost) {
    const Deadline none({});
    exact::NestedCost nested(instance, duals);
    return search_colouring(nested, instance, most_cost, {1'000'000, none});
  }

  HopInstance instance;
  std::vector<exact::Duals> duals;  ///< [level]
};

TEST(SearchColouring, FindsTheWorstOfAllPlacements) {
  Random random(4);
  const std::vector<Machine> machines{make_tree_machine(std::vector{2, 4}, std::vector{1u, 10u}),
                                      make_tree_machine(std::vector{3, 3}, std::vector{1u, 10u}),
                                      make_tree_machine(std::vector{2, 2, 2}, std::vector{1u, 10u, 100u})};
  for (const Machine& machine : machines) {
    for (int n_messages = 4; n_messages < 40; n_messages += 4) {
      std::vector<Message> messages;
      for (int i = 0; i < n_messages; ++i) {
        messages.push_back({static_cast<std::int32_t>(random.below(machine.n_cores())),
                            static_cast<std::int32_t>(random.below(machine.n_cores())), 1 + random.below(9)});
      }
      const Traffic traffic = traffic_of(machine.n_cores(), messages);
      const Solution worst = solve({traffic, machine, objective("hop-bytes"), true}, "exact", {});
      ASSERT_TRUE(worst.proven);
      Colouring colouring(traffic, machine);
      const auto found = colouring.search(kAnyCost);
      EXPECT_TRUE(found.complete);
      EXPECT_EQ(-(colouring.instance.cost_at_root() + found.cost) / kCostScale, worst.score.values.front());
    }
  }
}

TEST(SearchColouring, KnowsThatFiveWhoAllTalkDontFitFourGroupsOneByOne) {
  std::vector<Message> messages;
  for (int a = 0; a < 5; ++a) {
    for (int b = 0; b < a; ++b) messages.push_back({a, b, 7});
  }
  Colouring colouring(traffic_of(16, messages), make_tree_machine(std::vector{4, 4}, std::vector{1u, 10u}));
  const Cost one_pair = kCostScale * 7 * 9;
  EXPECT_EQ(colouring.search(one_pair).cost, one_pair);
  const auto less = colouring.search(one_pair - 1);
  EXPECT_TRUE(less.complete);
  EXPECT_TRUE(less.groups.empty());
}

TEST(SearchColouring, SeparatesAllOfTwentySixNeighboursOnEightNodes) {
  std::vector<Message> messages;
  for (int a = 0; a < 64; ++a) {
    for (int b = 0; b < a; ++b) {
      const bool near = std::abs(a % 4 - b % 4) <= 1 && std::abs(a / 4 % 4 - b / 4 % 4) <= 1 &&
                        std::abs(a / 16 - b / 16) <= 1;
      if (near) messages.push_back({a, b, 1});
    }
  }
  Colouring colouring(traffic_of(64, messages), make_tree_machine(std::vector{8, 8}, std::vector{1u, 10u}));
  const auto found = colouring.search(0);
  ASSERT_EQ(found.groups.size(), 8);
  for (const VertexGroup& group : found.groups) EXPECT_EQ(colouring.instance.inside(group.members), 0);
}

}  // namespace
}  // namespace corewise
