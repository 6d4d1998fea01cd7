/// The exact solver, compared with plain enumeration and with the SMP-CMP paper's patterns.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "corewise/error.hpp"
#include "corewise/solver.hpp"
#include "search_cases.hpp"
#include "solvers/problem/core_tree.hpp"

namespace corewise {
namespace {

using namespace corewise::testing;
using ::testing::ElementsAre;

Solution solve_exactly(std::string_view objective_name, const Traffic& traffic, const Machine& machine,
                       bool worst) {
  return solve({traffic, machine, objective(objective_name), worst}, "exact", {});
}

struct Enumerated {
  Score score;
  std::vector<std::int32_t> first;  ///< lexicographically first list of cores
  std::uint64_t n_optimal = 0;
};

/// All n! mappings of n ranks to the machine's n cores, in lexicographic order.
Enumerated enumerate(std::string_view objective_name, const Traffic& traffic, const Machine& machine,
                     bool worst) {
  std::vector<std::int32_t> cores(machine.n_cores());
  std::iota(cores.begin(), cores.end(), 0);
  Enumerated best;
  do {
    const Score score = objective(objective_name).evaluate(traffic, machine, placed(cores));
    if (best.n_optimal == 0 || (worst ? score > best.score : score < best.score)) {
      best = {score, cores, 1};
    } else if (score == best.score) {
      ++best.n_optimal;
    }
  } while (std::ranges::next_permutation(cores).found);
  return best;
}

Traffic random_traffic(std::int32_t n_ranks) {
  Random random(7);
  return random_messages(n_ranks, 15, random);
}

class OnADracoNode : public ::testing::TestWithParam<std::pair<const char*, Traffic (*)()>> {};

TEST_P(OnADracoNode, ExactEqualsTheEnumerationOfAll40320Mappings) {
  const Machine machine = draco(1);
  const Traffic traffic = GetParam().second();
  for (const bool worst : {false, true}) {
    const Enumerated expected = enumerate("link-load", traffic, machine, worst);
    const Solution found = solve_exactly("link-load", traffic, machine, worst);
    EXPECT_EQ(found.score, expected.score);
    EXPECT_EQ(found.n_optimal, expected.n_optimal);
    EXPECT_EQ(cores_of(found.placement), expected.first);
    EXPECT_TRUE(found.proven);
  }
}

INSTANTIATE_TEST_SUITE_P(Patterns, OnADracoNode,
                         ::testing::Values(std::pair{"Ring", +[] { return ring(8); }},
                                           std::pair{"RecursiveDoubling",
                                                     +[] { return recursive_doubling(8); }},
                                           std::pair{"Binomial", +[] { return binomial(8); }},
                                           std::pair{"Random", +[] { return random_traffic(8); }}),
                         [](const auto& info) { return info.param.first; });

/// Number of leaves of the search tree, and of the placements that they represent.
std::pair<std::uint64_t, std::uint64_t> count_placements(CoreTree& tree, std::int32_t n_ranks) {
  if (n_ranks == 0) return {1, 1};
  std::vector<CoreChoice> choices;
  tree.list_choices(choices);
  std::uint64_t leaves = 0;
  std::uint64_t placements = 0;
  for (const CoreChoice choice : choices) {
    tree.occupy(choice.core);
    const auto [below, stand_for] = count_placements(tree, n_ranks - 1);
    tree.release(choice.core);
    leaves += below;
    placements += choice.n_equal * stand_for;
  }
  return {leaves, placements};
}

TEST(CoreTree, LeavesOnePlacementOfAllThatAreEqual) {
  using Counts = std::pair<std::uint64_t, std::uint64_t>;
  // Jaguar: C(12,6) = 924 splits over two packages, of which half are mirror images: 462 * 2 * 6! * 6! = 12!.
  // Draco: C(8,4)/2 = 35 splits over packages, times 3 over the caches of each, is 315. 315 * 2^7 = 8!.
  const std::vector<std::pair<Machine, Counts>> nodes = {
      {machine_of({two_level_node({6, 6})}), {462, 479001600}}, {draco(1), {315, 40320}}};
  for (const auto& [machine, counts] : nodes) {
    const std::int32_t n = machine.n_cores();
    CoreTree tree(machine, std::vector<std::int32_t>(n, 1), machine.n_levels(), CoreIndex{0});
    EXPECT_EQ(count_placements(tree, n), counts);
  }
}

TEST(CoreTree, KeepsSubtreesOfOtherShapesAndCapacitiesApart) {
  // Packages of 2 and 1 cores; the first core takes two ranks. The first rank has three different choices.
  const Machine machine = machine_of({two_level_node({2, 1})});
  CoreTree tree(machine, std::vector<std::int32_t>{2, 1, 1}, machine.n_levels(), CoreIndex{0});
  std::vector<CoreChoice> choices;
  tree.list_choices(choices);
  EXPECT_EQ(choices.size(), 3u);
}

TEST(Exact, PadsANodeWithSilentRanks) {
  // A ring of 3 on (0 1)(2 3): two ranks share a package, one is alone, 2 messages cross. 3 choices of the
  // single rank * 2 packages * 2 cores * 2 orders of the pair = 24 = 4! / 1! placements of equal score.
  const Solution found = solve_exactly("link-load", ring(3), machine_of({two_level_node({2, 2})}), false);
  EXPECT_THAT(found.score.values, ElementsAre(2));
  EXPECT_EQ(found.n_optimal, 24u);
}

TEST(Exact, SolvesEachNodeOfTheGivenAssignment) {
  // Even ranks are on node 0, odd ranks on node 1. The pairs 0-4, 2-6, 1-5 and 3-7 can each share a package.
  const Machine machine = machine_of({two_level_node({2, 2}), two_level_node({2, 2})});
  const Traffic traffic = traffic_of(8, {{0, 4, 1}, {2, 6, 1}, {1, 5, 1}, {3, 7, 1}});
  std::vector<NodeIndex> nodes;
  for (std::int32_t rank = 0; rank < 8; ++rank) nodes.push_back(NodeIndex{rank % 2});
  const Solution best =
      solve({traffic, machine, objective("link-load"), false, {.node_of_rank = nodes}}, "exact", {});
  EXPECT_THAT(best.score.values, ElementsAre(0));
  EXPECT_THAT(cores_of(best.placement), ElementsAre(0, 4, 2, 6, 1, 5, 3, 7));
  EXPECT_EQ(best.n_optimal, 64u);  // 8 of the 24 orders on each node
  const Solution worst =
      solve({traffic, machine, objective("link-load"), true, {.node_of_rank = nodes}}, "exact", {});
  EXPECT_THAT(worst.score.values, ElementsAre(2));
}

TEST(Exact, RefusesWhatItCannotProveAndSaysWhenItsDeadlineCutItShort) {
  const Traffic traffic = recursive_doubling(32);
  const Machine machine = draco(4);
  EXPECT_THROW((void)solve({traffic, machine, objective("time")}, "exact", {1, Effort::fast, {}}), Error);
  const Solution cut = solve({traffic, machine, objective("time")}, "exact", {1, Effort::strong, 0.01});
  EXPECT_TRUE(cut.cut_short);
  EXPECT_FALSE(cut.proven);
  EXPECT_LT(cut.bound.value(), cut.score);
}

}  // namespace
}  // namespace corewise
