/// NeededPart: on a machine much larger than the job, searching only a part of it gives the same result.
#include "solvers/problem/needed_part.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mapping_cases.hpp"

namespace corewise {
namespace {

using namespace corewise::testing;
using ::testing::ElementsAre;
using ::testing::Le;

constexpr std::int32_t kManyNodes = 50'000;

/// Nodes of two cores on a flat network.
Machine pairs_of_cores(std::int32_t n_nodes) {
  MachineDescription description;
  description.name = "pairs";
  description.shapes = {two_level_node({2})};
  description.shape_of_node.assign(n_nodes, 0);
  description.network = {{"network", {0}}};
  return make_machine(description);
}

MappingProblem problem_of(const Traffic& traffic, const Machine& machine, std::string_view name) {
  return {traffic, machine, objective(name)};
}

TEST(NeededPart, KeepsAsManyNodesAsThereAreRanks) {
  const Machine machine = pairs_of_cores(kManyNodes);
  const Traffic traffic = ring(3);
  const auto part = needed_part(problem_of(traffic, machine, "hop-bytes"));
  ASSERT_TRUE(part);
  // The first three nodes, of two cores each.
  EXPECT_THAT(part->cores, ElementsAre(CoreIndex{0}, CoreIndex{1}, CoreIndex{2}, CoreIndex{3}, CoreIndex{4},
                                       CoreIndex{5}));
  EXPECT_EQ(part->machine.n_nodes(), 3);
  EXPECT_EQ(part->machine.n_levels(), machine.n_levels());
  EXPECT_EQ(part->machine.distance(CoreIndex{0}, CoreIndex{1}), 1);
  EXPECT_EQ(part->machine.distance(CoreIndex{1}, CoreIndex{2}), 2);
  EXPECT_EQ(part->machine.fingerprint(), pairs_of_cores(3).fingerprint());
}

TEST(NeededPart, IsTheWholeOfASmallMachine) {
  const Machine machine = pairs_of_cores(100);
  const Traffic traffic = ring(3);
  EXPECT_FALSE(needed_part(problem_of(traffic, machine, "hop-bytes")));
}

TEST(NeededPart, KeepsEveryClassOfNode) {
  // The second core of the first 20000 nodes must stay free, so ranks 0 and 1 can share only a later node.
  const Machine machine = pairs_of_cores(kManyNodes);
  const Traffic traffic = traffic_of(2, {{0, 1, 8}});
  MappingProblem problem = problem_of(traffic, machine, "hop-bytes");
  problem.constraints.core_capacity.assign(machine.n_cores(), 1);
  for (std::int32_t node = 0; node < 20'000; ++node) problem.constraints.core_capacity[2 * node + 1] = 0;
  const Solution solution = solve(problem, "auto", {});
  const std::vector<std::int32_t> cores = cores_of(solution.placement);
  EXPECT_EQ(cores[0] / 2, cores[1] / 2);
  EXPECT_THAT(solution.score.values, ElementsAre(8));  // 8 bytes at distance 1
}

TEST(NeededPart, KeepsTheCoreAndTheNodeOfAFixedRank) {
  const Machine machine = pairs_of_cores(kManyNodes);
  const Traffic traffic = traffic_of(3, {{0, 1, 8}, {1, 2, 1}});
  MappingProblem problem = problem_of(traffic, machine, "hop-bytes");
  problem.constraints.core_of_rank = {CoreIndex{60'001}, kAnyCore, kAnyCore};
  problem.constraints.node_of_rank = {kAnyNode, kAnyNode, NodeIndex{40'000}};
  const Solution solution = solve(problem, "auto", {});
  const std::vector<std::int32_t> cores = cores_of(solution.placement);
  EXPECT_EQ(cores[0], 60'001);
  EXPECT_EQ(cores[1], 60'000);  // next to the rank that it talks to most
  EXPECT_EQ(cores[2] / 2, 40'000);
}

TEST(NeededPart, HasTheScoreOfAMachineThatIsJustLargeEnough) {
  const Machine many = pairs_of_cores(kManyNodes);
  const Machine few = pairs_of_cores(6);
  const Traffic traffic = recursive_doubling(4);
  for (const ObjectiveInfo& row : objectives()) {
    for (const bool worst : {false, true}) {
      const Solution on_many = solve({traffic, many, row, worst}, "auto", {});
      const Solution on_few = solve({traffic, few, row, worst}, "auto", {});
      EXPECT_EQ(on_many.score.values, on_few.score.values) << row.name << (worst ? " worst" : " best");
      EXPECT_EQ(on_many.score.values, row.evaluate(traffic, many, on_many.placement).values) << row.name;
    }
  }
}

TEST(NeededPart, OfABareTreeKeepsAsManyChildrenOfEachObject) {
  const std::vector<std::int32_t> arities{300, 300};
  const Machine tree = make_tree_machine(arities, {});
  const Traffic traffic = ring(4);
  const auto part = needed_part(problem_of(traffic, tree, "hop-bytes"));
  ASSERT_TRUE(part);
  EXPECT_EQ(part->machine.n_cores(), 16);
  EXPECT_EQ(part->cores[4], CoreIndex{300});
}

}  // namespace
}  // namespace corewise
