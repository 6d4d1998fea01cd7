/// Bounds of all objectives against every placement of few ranks.
#include "solvers/bounds/bound.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "random_cases.hpp"

namespace corewise {
namespace {

using namespace corewise::testing;
using ::testing::ElementsAre;

TEST(ObjectiveBound, IsNeverBeatenByAnyPlacement) {
  Random random(20);
  for (int sample = 0; sample < 60; ++sample) {
    const UnevenCase c = uneven_case(random);
    for (const ObjectiveInfo& row : objectives()) {
      const auto placed_for = [&](bool worst) {
        return with_places({c.traffic, c.machine, row, worst, {c.capacity}});
      };
      const Score lower = bounds::objective_bound(placed_for(false));
      const Score upper = bounds::objective_bound(placed_for(true));
      const PlacedProblem problem = placed_for(false);
      for_each_placement(problem, [&](const Placement& placement) {
        const Score score = row.evaluate(c.traffic, c.machine, placement);
        ASSERT_EQ(score.values.size(), lower.values.size());
        for (std::size_t i = 0; i < score.values.size(); ++i) {
          ASSERT_LE(lower.values[i], score.values[i]) << row.name << " of sample " << sample;
          ASSERT_GE(upper.values[i], score.values[i]) << row.name << " of sample " << sample;
        }
      });
    }
  }
}

PlacedProblem hop_problem(const Traffic& traffic, const Machine& machine, bool worst,
                          std::vector<std::int32_t> capacity) {
  return with_places({traffic, machine, objective("hop-bytes"), worst, {std::move(capacity)}});
}

TEST(ObjectiveBound, AddsUpWhatCrossesOnUnevenMachinesWithSharedCores) {
  // Rank 0 has three partners, 5 B each. Its core has room for one, its package for another.
  const Machine machine = machine_of({two_level_node({2, 1}), two_level_node({1, 1})});
  const Traffic traffic = traffic_of(4, {{0, 1, 5}, {0, 2, 5}, {3, 0, 5}});
  // Of rank 0's bytes, at least 10 leave its core and 5 leave its package: 10 + 5.
  const auto best = bounds::objective_bound(hop_problem(traffic, machine, false, {2, 1, 1, 1, 1}));
  EXPECT_THAT(best.values, ElementsAre(10 + 5));
  const auto worst = bounds::objective_bound(hop_problem(traffic, machine, true, {2, 1, 1, 1, 1}));
  EXPECT_THAT(worst.values, ElementsAre(45));  // all 15 B over the network, at distance 3
}

TEST(ObjectiveBound, CountsTheGroupsOfEachSizeByThemselves) {
  // All pairs of 6 ranks on (0 1 2)(3 4)(5): with any placement, 3 + 1 of the 15 B stay within packages.
  const Machine machine = machine_of({two_level_node({3, 2, 1})});
  std::vector<Message> messages;
  for (std::int32_t b = 1; b < 6; ++b) {
    for (std::int32_t a = 0; a < b; ++a) messages.push_back({a, b, 1});
  }
  const Traffic traffic = traffic_of(6, messages);
  for (const bool worst : {false, true}) {
    const PlacedProblem problem = hop_problem(traffic, machine, worst, std::vector<std::int32_t>(6, 1));
    EXPECT_THAT(bounds::objective_bound(problem).values, ElementsAre(4 * 1 + 11 * 2));
  }
}

TEST(ObjectiveBound, OfCongestionIsTheMeanOverLinksOrTheHeaviestRank) {
  // A star of 4 ranks on (0 1)(2 3): two of the centre's three partners, 6 B each, are in the other package.
  const Machine machine = machine_of({two_level_node({2, 2})});
  const Traffic traffic = traffic_of(4, {{0, 1, 6}, {0, 2, 6}, {3, 0, 6}});
  const PlacedProblem problem = with_places({traffic, machine, objective("congestion")});
  EXPECT_THAT(bounds::objective_bound(problem).values, ElementsAre(12));
}

TEST(ObjectiveBound, OfTimeAddsTheLatenciesOfAHeavyRank) {
  // Latencies 1 and 2 s. Rank 0 sends 30 messages to a partner in its package, and 10 to a partner outside.
  const Machine machine = machine_of({two_level_node({2, 2})});
  const Traffic traffic =
      Traffic::of(CommMatrix::from_entries(3, {{Rank{0}, Rank{1}, 1, 30}, {Rank{0}, Rank{2}, 1, 10}}));
  const PlacedProblem problem = with_places({traffic, machine, objective("time")});
  EXPECT_NEAR(bounds::objective_bound(problem).values.front(), 30 * 1 + 10 * 2, 1e-9);
}

TEST(Solve, ProvesWhatReachesItsBound) {
  // With two messages between two ranks, the bound equals the best time.
  const Machine machine = machine_of({two_level_node({2, 2}), two_level_node({2, 2})});
  const Traffic traffic = traffic_of(2, {{0, 1, 4}, {1, 0, 4}});
  const Solution found = solve({traffic, machine, objective("time")}, "spread", {});
  EXPECT_FALSE(found.bound.has_value());  // spread does not optimise `time`
  const Solution best = solve({traffic, machine, objective("time")}, "auto", {});
  EXPECT_TRUE(best.proven);
  EXPECT_EQ(best.bound, best.score);
}

}  // namespace
}  // namespace corewise
