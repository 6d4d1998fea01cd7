/// Constraints and places: where ranks can start, what is refused, and that every solver keeps constraints.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "corewise/error.hpp"
#include "corewise/solver.hpp"
#include "random_cases.hpp"

namespace corewise {
namespace {

using namespace corewise::testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::vector<std::int32_t>> all_cores(const Placement& placement) {
  std::vector<std::vector<std::int32_t>> cores;
  for (std::int32_t rank = 0; rank < placement.n_ranks(); ++rank) {
    auto& of_rank = cores.emplace_back();
    for (const CoreIndex core : placement.cores(Rank{rank})) of_rank.push_back(raw(core));
  }
  return cores;
}

std::vector<std::vector<std::int32_t>> block_cores(std::int32_t n_ranks, const Machine& machine,
                                                   const Constraints& constraints) {
  const Traffic traffic = traffic_of(n_ranks, {});
  return all_cores(
      solve({traffic, machine, objective("hop-bytes"), false, constraints}, "block", {}).placement);
}

std::string refusal(std::int32_t n_ranks, const Machine& machine, const Constraints& constraints,
                    std::string_view solver_name = "block") {
  const Traffic traffic = traffic_of(n_ranks, {});
  return refusal_of(
      [&] { (void)solve({traffic, machine, objective("hop-bytes"), false, constraints}, solver_name, {}); });
}

using Lists = std::vector<std::vector<std::int32_t>>;

TEST(Places, OfTwoCoresAreWholeCachesAndThenPiecesOfTheNode) {
  // Packages of 3 cores: a place of two cores in each, and a third place from the remaining two cores.
  const Machine machine = machine_of({two_level_node({3, 3})});
  EXPECT_EQ(block_cores(3, machine, {.cores_per_rank = {2, 2, 2}}), (Lists{{0, 1}, {2, 5}, {3, 4}}));
}

TEST(Places, NeverSpanTwoNodesNorTakeACoreThatIsLeftFree) {
  const Machine machine = machine_of({two_level_node({3}), two_level_node({3})});
  const Constraints constraints{.core_capacity = {0, 1, 1, 1, 0, 1}, .cores_per_rank = {2, 2}};
  EXPECT_EQ(block_cores(2, machine, constraints), (Lists{{1, 2}, {3, 5}}));
}

TEST(Places, OfAFixedRankBeginAtItsCore) {
  const Machine machine = machine_of({two_level_node({2, 2, 2})});
  const Constraints constraints{.cores_per_rank = {2, 2}, .core_of_rank = {kAnyCore, CoreIndex{1}}};
  EXPECT_EQ(block_cores(2, machine, constraints), (Lists{{4, 5}, {1, 2}}));
}

TEST(Places, OfDifferentWidthsAreCutWidestFirst) {
  // Ranks of 1, 2 and 1 cores on two packages of two cores: the rank of 2 cores gets a whole package.
  const Machine machine = machine_of({two_level_node({2, 2})});
  EXPECT_EQ(block_cores(3, machine, {.cores_per_rank = {1, 2, 1}}), (Lists{{2}, {0, 1}, {3}}));
}

TEST(Places, OfDifferentWidthsFillGapsThatRankOrderLeaves) {
  // Ranks of 2, 3, 2 and 1 cores on nodes of 4: rank 3 gets the remaining core of rank 1's node.
  const Machine machine = machine_of({two_level_node({4}), two_level_node({4})});
  const Lists cores = block_cores(4, machine, {.cores_per_rank = {2, 3, 2, 1}});
  EXPECT_EQ(cores, (Lists{{0, 1}, {4, 5, 6}, {2, 3}, {7}}));
}

TEST(Oversubscribe, DealsWhatIsTooManyOverTheNodesEvenly) {
  // 10 ranks on 2 nodes of 4 cores: 5 ranks per node, so one core of each node has two ranks.
  const Machine machine = machine_of({two_level_node({4}), two_level_node({4})});
  EXPECT_EQ(block_cores(10, machine, {.oversubscribe = true}),
            (Lists{{0}, {0}, {1}, {2}, {3}, {4}, {4}, {5}, {6}, {7}}));
}

TEST(Oversubscribe, SharesWholePlacesWhereRanksHaveSeveralCores) {
  const Machine machine = machine_of({two_level_node({2})});
  EXPECT_EQ(block_cores(2, machine, {.cores_per_rank = {2, 2}, .oversubscribe = true}),
            (Lists{{0, 1}, {0, 1}}));
}

TEST(Constraints, ThatContradictEachOtherAreNamed) {
  const Machine machine = machine_of({two_level_node({2}), two_level_node({2})});
  const CoreIndex core{1};
  EXPECT_THAT(refusal(2, machine, {.core_of_rank = {core, core}}),
              HasSubstr("rank 1 is one too many on core 1"));
  EXPECT_THAT(refusal(1, machine, {.core_of_rank = {core}, .node_of_rank = {NodeIndex{1}}}),
              HasSubstr("and to node 1; expected one of them"));
  EXPECT_THAT(refusal(1, machine, {.cores_per_rank = {2}, .core_of_rank = {core}}),
              HasSubstr("rank 0 is fixed to 2 cores from core 1 of node 0 on, and the one at 2 is"));
  EXPECT_THAT(refusal(3, machine, {.node_of_rank = std::vector<NodeIndex>(3, NodeIndex{1})}),
              HasSubstr("node 1 is given 3 ranks and has room for 2"));
  EXPECT_THAT(refusal(2, machine, {.cores_per_rank = {2}}), HasSubstr("cores_per_rank has 1 values"));
  EXPECT_THAT(refusal(1, machine, {.node_of_rank = {NodeIndex{7}}}), HasSubstr("expected 0-1"));
  EXPECT_THAT(refusal(2, machine, {.node_of_rank = {NodeIndex{0}, kAnyNode}}, "spread"),
              HasSubstr("spread takes no fixed ranks"));
  EXPECT_THAT(refusal(2, machine, {.cores_per_rank = {1, 2}}, "exact"), HasSubstr("use the solver auto"));
}

/// Random widths, fixed cores and fixed nodes for ranks on an uneven machine. Some can't be satisfied.
Constraints random_constraints(Random& random, const UnevenCase& c) {
  const std::int32_t n_ranks = c.traffic.n_ranks();
  Constraints constraints{.core_capacity = c.capacity, .oversubscribe = random.below(3) == 0};
  const std::uint32_t widths = random.below(4);
  for (std::int32_t rank = 0; rank < n_ranks && widths > 0; ++rank) {
    constraints.cores_per_rank.push_back(widths == 3 ? 1 + static_cast<std::int32_t>(random.below(2))
                                                     : static_cast<std::int32_t>(widths));
  }
  constraints.core_of_rank.assign(n_ranks, kAnyCore);
  constraints.node_of_rank.assign(n_ranks, kAnyNode);
  for (std::int32_t rank = 0; rank < n_ranks; ++rank) {
    if (random.below(6) == 0)
      constraints.core_of_rank[rank] =
          CoreIndex{static_cast<std::int32_t>(random.below(c.machine.n_cores()))};
    if (random.below(6) == 0)
      constraints.node_of_rank[rank] =
          NodeIndex{static_cast<std::int32_t>(random.below(c.machine.n_nodes()))};
  }
  return constraints;
}

/// Expects that every rank has its width of cores on one node, is where it is fixed, and exceeds no capacity.
void expect_kept(const UnevenCase& c, const Constraints& constraints, const Placement& placement) {
  std::vector<std::int32_t> load(c.machine.n_cores(), 0);
  for (std::int32_t rank = 0; rank < c.traffic.n_ranks(); ++rank) {
    const auto cores = placement.cores(Rank{rank});
    EXPECT_EQ(std::ssize(cores), constraints.cores_per_rank.empty() ? 1 : constraints.cores_per_rank[rank]);
    const CoreIndex fixed = constraints.core_of_rank[rank];
    EXPECT_TRUE(fixed == kAnyCore || fixed == cores.front());
    const NodeIndex node = constraints.node_of_rank[rank];
    for (const CoreIndex core : cores) {
      EXPECT_EQ(c.machine.node_of(core), node == kAnyNode ? c.machine.node_of(cores.front()) : node);
      EXPECT_GT(c.capacity[raw(core)], 0);
      ++load[raw(core)];
    }
  }
  for (std::int32_t core = 0; core < c.machine.n_cores() && !constraints.oversubscribe; ++core) {
    EXPECT_LE(load[core], c.capacity[core]);
  }
}

TEST(Constraints, AreKeptByEverySolverOrRefusedInOneSentence) {
  Random random(40);
  int n_solved = 0;
  for (int sample = 0; sample < 150; ++sample) {
    const UnevenCase c = uneven_case(random);
    const Constraints constraints = random_constraints(random, c);
    for (const ObjectiveInfo& row : objectives()) {
      const MappingProblem problem{c.traffic, c.machine, row, sample % 2 == 0, constraints};
      for (const SolverInfo& solver_row : solvers()) {
        try {
          const Solution found = solve(problem, solver_row.name, {1, Effort::fast, {}});
          expect_kept(c, constraints, found.placement);
          ++n_solved;
        } catch (const Error& error) {
          EXPECT_FALSE(std::string(error.what()).empty());
        }
      }
    }
  }
  EXPECT_GT(n_solved, 500);
}

TEST(Constraints, LeaveExactTheBestOfAllPlacementsThatKeepThem) {
  Random random(41);
  int n_cases = 0;
  for (int sample = 0; sample < 60; ++sample) {
    const UnevenCase c = uneven_case(random);
    Constraints constraints = random_constraints(random, c);
    if (widths_differ(constraints)) constraints.cores_per_rank.clear();
    for (const ObjectiveInfo& row : objectives()) {
      if (row.keeps_nodes) continue;
      std::optional<PlacedProblem> problem;
      try {
        problem.emplace(with_places({c.traffic, c.machine, row, sample % 2 == 0, constraints}));
      } catch (const Error&) {
        continue;
      }
      EXPECT_EQ(solve(*problem, "exact", {}).score, enumerated(*problem))
          << row.name << " of sample " << sample;
      ++n_cases;
    }
  }
  EXPECT_GT(n_cases, 60);
}

}  // namespace
}  // namespace corewise
