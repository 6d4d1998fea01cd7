/// Solvers: the rules of each, and properties that every row of the table must have.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "random_cases.hpp"

namespace corewise {
namespace {

using namespace corewise::testing;
using ::testing::ElementsAre;

std::vector<std::int32_t> cores(std::string_view solver_name, const Traffic& traffic,
                                const Machine& machine) {
  return cores_of(solve({traffic, machine, objective("hop-bytes")}, solver_name, {}).placement);
}

/// Node i has `sizes[i]` cores and no levels inside.
Machine flat_nodes(const std::vector<std::int32_t>& sizes) {
  std::vector<NodeShape> shapes;
  for (const std::int32_t size : sizes) shapes.push_back(two_level_node({size}));
  return machine_of(shapes);
}

TEST(Block, FillsNodeAfterNode) {
  EXPECT_THAT(cores("block", ring(4), flat_nodes({2, 3})), ElementsAre(0, 1, 2, 3));
}

TEST(Block, SharesCoresOnlyWhenEveryCoreHasARank) {
  // 5 ranks on 4 cores with capacity 2: the first core gets two ranks.
  const Machine machine = flat_nodes({2, 2});
  const Traffic traffic = ring(5);
  const MappingProblem problem{
      traffic, machine, objective("hop-bytes"), false, {.core_capacity = {2, 2, 2, 2}}};
  EXPECT_THAT(cores_of(solve(problem, "block", {}).placement), ElementsAre(0, 0, 1, 2, 3));
}

TEST(Block, KeepsAGivenAssignmentToNodes) {
  const Machine machine = flat_nodes({2, 2});
  const Traffic traffic = ring(3);
  const MappingProblem problem{traffic,
                               machine,
                               objective("hop-bytes"),
                               false,
                               {.node_of_rank = {NodeIndex{1}, NodeIndex{0}, NodeIndex{1}}}};
  EXPECT_THAT(cores_of(solve(problem, "block", {}).placement), ElementsAre(2, 0, 3));
}

TEST(RoundRobin, DealsRanksToNodesAndSkipsFullOnes) {
  // Nodes of 1, 3 and 2 cores: core 0 | cores 1 2 3 | cores 4 5.
  EXPECT_THAT(cores("round-robin", ring(6), flat_nodes({1, 3, 2})), ElementsAre(0, 1, 4, 2, 5, 3));
}

TEST(FrequencyMajor, PutsPairsWithMostMessagesOnOneNode) {
  // 0-2 and 1-3 exchange most messages, 0-1 most bytes.
  const CommMatrix matrix = CommMatrix::from_entries(4, {{Rank{0}, Rank{1}, 900, 1},
                                                         {Rank{0}, Rank{2}, 8, 9},
                                                         {Rank{3}, Rank{1}, 8, 9},
                                                         {Rank{2}, Rank{3}, 9, 1}});
  EXPECT_THAT(cores("frequency-major", Traffic::of(matrix), flat_nodes({2, 2})), ElementsAre(0, 2, 1, 3));
}

TEST(SizeMajor, PutsPairsWithMostBytesOnOneNode) {
  const CommMatrix matrix = CommMatrix::from_entries(4, {{Rank{0}, Rank{3}, 900, 1},
                                                         {Rank{0}, Rank{2}, 8, 9},
                                                         {Rank{3}, Rank{1}, 8, 9},
                                                         {Rank{2}, Rank{1}, 9, 1}});
  EXPECT_THAT(cores("size-major", Traffic::of(matrix), flat_nodes({2, 2})), ElementsAre(0, 2, 3, 1));
}

TEST(SizeMajor, LooksAtLargeMessagesAloneWhereSizesAreKnown) {
  Traffic traffic = traffic_of(4, {{0, 1, 900}, {0, 2, 500}, {1, 3, 500}});
  traffic.large = LargeMessages{100, matrix_of(4, {{0, 2, 500}, {1, 3, 500}})};
  EXPECT_THAT(cores("size-major", traffic, flat_nodes({2, 2})), ElementsAre(0, 2, 1, 3));
}

TEST(SizeMajor, TakesPairsOfNearlyTheSameWeightInRankOrder) {
  // A row of HPL's process grid: MB from each of eight ranks to the next. Strictly by weight, 5-6, 0-1 and
  // 3-4 would come first, and ranks 2 and 7 would be left over.
  const Traffic row = traffic_of(8, {{0, 1, 701},
                                     {1, 2, 662},
                                     {2, 3, 670},
                                     {3, 4, 698},
                                     {4, 5, 701},
                                     {5, 6, 732},
                                     {6, 7, 729},
                                     {7, 0, 693}});
  EXPECT_THAT(cores("size-major", row, flat_nodes({2, 2, 2, 2})), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  // A pair that is 1.5 times heavier does not count as equal: ranks 1 and 2 share a node.
  const Traffic unlike = traffic_of(4, {{0, 1, 100}, {1, 2, 150}, {2, 3, 100}});
  EXPECT_THAT(cores("size-major", unlike, flat_nodes({2, 2})), ElementsAre(2, 0, 1, 3));
}

TEST(SizeMajor, JoinsPairsToGroupsOnLargerNodes) {
  // 0-1 and 2-3 are heaviest, then 1-2, then 4-5: ranks 0 1 2 3 share a node, the others share the second.
  const Traffic traffic = traffic_of(8, {{4, 5, 1}, {1, 2, 5}, {0, 1, 9}, {2, 3, 9}});
  EXPECT_THAT(cores("size-major", traffic, flat_nodes({4, 4})), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
}

TEST(SizeMajor, SplitsAGroupThatNoNodeTakes) {
  // Four groups of three ranks on three nodes of four: the last group is split over the free cores.
  std::vector<Message> messages;
  for (std::int32_t first = 0; first < 12; first += 3) {
    messages.push_back({first, first + 1, 9});
    messages.push_back({first + 1, first + 2, 9});
  }
  EXPECT_THAT(cores("size-major", traffic_of(12, messages), flat_nodes({4, 4, 4})),
              ElementsAre(0, 1, 2, 4, 5, 6, 8, 9, 10, 3, 7, 11));
}

TEST(Spread, PartsThePairsWithMostBytes) {
  // 0 and 1 are separated, then 2 and 3; rank 2 is not on the node of rank 1.
  EXPECT_THAT(cores("spread", traffic_of(4, {{0, 1, 9}, {2, 3, 5}, {1, 2, 1}}), flat_nodes({2, 2})),
              ElementsAre(0, 2, 1, 3));
}

TEST(Random, DrawsEveryPlacementAboutEquallyOften) {
  const Machine machine = flat_nodes({1, 2});
  const Traffic traffic = ring(3);
  std::map<std::vector<std::int32_t>, int> seen;
  for (std::uint64_t seed = 0; seed < 6000; ++seed) {
    const MappingProblem problem{traffic, machine, objective("hop-bytes")};
    ++seen[cores_of(solve(problem, "random", {seed, Effort::standard, {}}).placement)];
  }
  ASSERT_EQ(seen.size(), 6u);
  for (const auto& [list, count] : seen) EXPECT_NEAR(count, 1000, 150);
}

// The following tests run for every row of the table, so a new solver needs no new test.

class EverySolver : public ::testing::TestWithParam<std::string_view> {};

TEST_P(EverySolver, GivesTheSameValidPlacementForTheSameSeed) {
  Random random(1);
  for (int sample = 0; sample < 60; ++sample) {
    const UnevenCase drawn = uneven_case(random);
    for (const ObjectiveInfo& row : objectives()) {
      for (const bool worst : {false, true}) {
        const MappingProblem problem{
            drawn.traffic, drawn.machine, row, worst, {.core_capacity = drawn.capacity}};
        const Solution solution = solve(problem, GetParam(), {3, Effort::fast, {}});
        EXPECT_NO_THROW(validate(solution.placement, drawn.machine, drawn.capacity));
        EXPECT_EQ(solution.placement.n_ranks(), drawn.traffic.n_ranks());
        const Solution again = solve(problem, GetParam(), {3, Effort::fast, {}});
        EXPECT_EQ(cores_of(solution.placement), cores_of(again.placement));
      }
    }
  }
}

TEST_P(EverySolver, AnswersWithinADeadlineThatHasPassed) {
  const Machine machine = draco(2);
  const Traffic traffic = ring(16);
  for (const ObjectiveInfo& row : objectives()) {
    const MappingProblem problem{traffic, machine, row};
    const Solution solution = solve(problem, GetParam(), {1, Effort::standard, 0.0});
    EXPECT_NO_THROW(validate(solution.placement, machine, {}));
  }
}

TEST_P(EverySolver, TakesNoRanksAndASingleRank) {
  const Machine machine = draco(2);
  for (const std::int32_t n_ranks : {0, 1}) {
    const Traffic traffic = traffic_of(n_ranks, {});
    const MappingProblem problem{traffic, machine, objective("time")};
    EXPECT_EQ(solve(problem, GetParam(), {}).placement.n_ranks(), n_ranks);
  }
}

class OptimisingSolver : public EverySolver {};

TEST_P(OptimisingSolver, ComesNearTheOptimum) {
  Random random(2);
  for (int sample = 0; sample < 40; ++sample) {
    const UnevenCase drawn = uneven_case(random);
    for (const ObjectiveInfo& row : objectives()) {
      const MappingProblem problem{
          drawn.traffic, drawn.machine, row, false, {.core_capacity = drawn.capacity}};
      const Solution exact = solve(problem, "exact", {});
      const Solution found = solve(problem, GetParam(), {});
      ASSERT_TRUE(exact.proven);
      if (exact.score.values.empty()) continue;
      EXPECT_LE(found.score.values.front(), 1.05 * exact.score.values.front()) << row.name;
      EXPECT_GE(found.score, exact.score) << row.name;
      if (found.bound) {
        EXPECT_LE(found.bound->values.front(), exact.score.values.front()) << row.name;
      }
    }
  }
}

std::vector<std::string_view> solver_names(bool optimising_only) {
  std::vector<std::string_view> names;
  for (const SolverInfo& row : solvers()) {
    if (row.optimises || !optimising_only) names.push_back(row.name);
  }
  return names;
}

std::string without_dashes(const ::testing::TestParamInfo<std::string_view>& info) {
  std::string name(info.param);
  std::erase(name, '-');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Table, EverySolver, ::testing::ValuesIn(solver_names(false)), without_dashes);
INSTANTIATE_TEST_SUITE_P(Table, OptimisingSolver, ::testing::ValuesIn(solver_names(true)), without_dashes);

}  // namespace
}  // namespace corewise
