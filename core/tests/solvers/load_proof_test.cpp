/// Proofs of link loads, compared with every placement of few ranks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "random_cases.hpp"
#include "solvers/bounds/bound.hpp"
#include "solvers/exact/close_gap.hpp"

namespace corewise {
namespace {

using namespace corewise::testing;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

/// Only the proof, from block order, without the help of a good placement from the search of auto.
Solution gap_closed(const PlacedProblem& problem, std::uint64_t most_steps = 1'000'000) {
  Solution solution;
  solution.placement = place_in_order(problem, given_nodes(problem));
  exact::close_load_gap(problem, most_steps, Deadline({}), solution);
  solution.score = problem.objective.evaluate(problem.traffic, problem.machine, solution.placement);
  return solution;
}

Score enumerated(const PlacedProblem& problem) {
  std::optional<Score> best;
  for_each_placement(problem, [&](const Placement& placement) {
    const Score score = problem.objective.evaluate(problem.traffic, problem.machine, placement);
    if (!best || (problem.worst ? score > *best : score < *best)) best = score;
  });
  return best.value();
}

TEST(CloseLoadGap, EqualsTheEnumerationOfAllPlacementsOnUnevenMachines) {
  Random random(30);
  int n_proven = 0, n_cases = 0;
  for (int sample = 0; sample < 80; ++sample) {
    UnevenCase c = uneven_case(random);
    c.traffic.phases.resize(1);
    for (const bool worst : {false, true}) {
      const PlacedProblem problem =
          with_places({c.traffic, c.machine, objective("congestion"), worst, {c.capacity}});
      const Solution found = gap_closed(problem);
      const Score expected = enumerated(problem);
      ++n_cases;
      n_proven += found.proven;
      if (found.proven) {
        EXPECT_THAT(found.score.values, ElementsAreArray(expected.values)) << "sample " << sample;
      } else {
        EXPECT_TRUE(worst) << "sample " << sample;
        EXPECT_GE(found.bound.value(), expected) << "sample " << sample;
      }
    }
  }
  EXPECT_GE(n_proven, n_cases - n_cases / 10);  // a few proofs of the worst fail
}

TEST(CloseTimeGap, IsNeverBeatenByAnyPlacement) {
  Random random(32);
  int n_bounds = 0;
  for (int sample = 0; sample < 40; ++sample) {
    UnevenCase c = uneven_case(random);
    c.traffic.phases.resize(1);
    const PlacedProblem problem = with_places({c.traffic, c.machine, objective("time"), false, {c.capacity}});
    Solution solution;
    solution.placement = place_in_order(problem, given_nodes(problem));
    exact::close_time_gap(std::get<PhaseTimes>(problem.form), problem, 1'000'000, Deadline({}), solution);
    if (!solution.bound) continue;
    ++n_bounds;
    EXPECT_LE(*solution.bound, enumerated(problem)) << "sample " << sample;
  }
  EXPECT_GE(n_bounds, 20);
}

TEST(CloseLoadGap, ProvesBothEndsOnADracoNodeForEveryPattern) {
  const Machine machine = draco(1);
  for (const Traffic& traffic : {ring(8), recursive_doubling(8), binomial(8)}) {
    for (const bool worst : {false, true}) {
      const PlacedProblem problem = with_places({traffic, machine, objective("link-load"), worst});
      const Solution found = gap_closed(problem);
      EXPECT_TRUE(found.proven);
      EXPECT_EQ(found.score, enumerated(problem));
      EXPECT_EQ(found.bound, found.score);
    }
  }
}

TEST(CloseLoadGap, KeepsEveryRankOnItsNode) {
  // Even ranks are on node 0, odd ranks on node 1. The pairs 0-4, 2-6, 1-5 and 3-7 can each share a package.
  const Machine machine = machine_of({two_level_node({2, 2}), two_level_node({2, 2})});
  const Traffic traffic = traffic_of(8, {{0, 4, 1}, {2, 6, 1}, {1, 5, 1}, {3, 7, 1}});
  std::vector<NodeIndex> nodes;
  for (std::int32_t rank = 0; rank < 8; ++rank) nodes.push_back(NodeIndex{rank % 2});
  PlacedProblem problem =
      with_places({traffic, machine, objective("link-load"), false, {.node_of_rank = nodes}});
  for (const bool worst : {false, true}) {
    problem.worst = worst;
    const Solution found = gap_closed(problem);
    EXPECT_TRUE(found.proven);
    EXPECT_THAT(found.score.values, ElementsAre(worst ? 2 : 0));
    for (std::int32_t rank = 0; rank < 8; ++rank) {
      EXPECT_EQ(machine.node_of(found.placement.core(Rank{rank})), nodes[rank]);
    }
  }
}

TEST(CloseLoadGap, GivesABoundWhereItsStepsRunOut) {
  Random random(31);
  std::vector<Message> messages;
  for (std::int32_t rank = 0; rank < 24; ++rank) {
    for (std::int32_t other = 0; other < rank; ++other)
      messages.push_back({rank, other, 1 + random.below(99)});
  }
  const Traffic traffic = traffic_of(24, messages);
  const std::vector<std::int32_t> arities{4, 3, 2};
  const Machine machine = make_tree_machine(arities, {});
  for (const bool worst : {false, true}) {
    const PlacedProblem problem = with_places({traffic, machine, objective("congestion"), worst});
    const Solution quick = gap_closed(problem, 100);
    const Solution proven = gap_closed(problem, 10'000'000);
    EXPECT_FALSE(quick.proven);
    ASSERT_TRUE(proven.proven);
    EXPECT_TRUE(worst ? *quick.bound >= proven.score : *quick.bound <= proven.score);
  }
}

}  // namespace
}  // namespace corewise
