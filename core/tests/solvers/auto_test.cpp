/// Solver `auto` and improve(): the same result for the same seed, deadlines, given initial placements.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <stop_token>

#include "corewise/error.hpp"
#include "corewise/solver.hpp"
#include "search_cases.hpp"
#include "solvers/problem/deadline.hpp"

namespace corewise {
namespace {

using namespace corewise::testing;

Machine tree(const std::vector<std::int32_t>& arities, const std::vector<std::uint32_t>& distances) {
  return make_tree_machine(arities, distances);
}

TEST(Auto, TilesAGridThatBlockOrderCutsIntoRows) {
  // An 8 x 8 grid on 4 nodes of 16 cores in groups of 4. Best: nodes are squares of 4 x 4, groups of 2 x 2.
  // Of 112 edges, 16 are between nodes (distance 100), 4 * 8 between groups (10), 64 within groups (1).
  const Machine machine = tree({4, 4, 4}, {1, 10, 100});
  const Traffic traffic = grid(8, 8);
  const MappingProblem problem{traffic, machine, objective("hop-bytes")};
  EXPECT_EQ(solve(problem, "auto", {1, Effort::fast, {}}).score.values.front(), 16 * 100 + 32 * 10 + 64);
}

/// Random traffic of 60 ranks on eight nodes of eight cores: no grid, no proof.
struct RandomCase {
  explicit RandomCase(std::uint64_t seed) {
    Random random(seed);
    traffic = random_messages(60, 200, random);
  }
  Traffic traffic;
  Machine machine = draco(8);
};

TEST(Auto, GivesTheSamePlacementForTheSameSeedOnAnyNumberOfThreads) {
  const RandomCase random(11);
  for (const ObjectiveInfo& row : objectives()) {
    for (const bool worst : {false, true}) {
      const MappingProblem problem{random.traffic, random.machine, row, worst};
      const auto found = [&](int threads) {
        return cores_of(solve(problem, "auto", {7, Effort::fast, {}, threads}).placement);
      };
      const std::vector<std::int32_t> alone = found(1);
      EXPECT_EQ(found(1), alone) << row.name;
      EXPECT_EQ(found(3), alone) << row.name;
    }
  }
}

TEST(Auto, MovesRanksInsideNodesAloneWhereTheObjectiveKeepsNodes) {
  const Machine machine = draco(4);
  const Traffic traffic = ring(32);
  const Placement placement = solve({traffic, machine, objective("link-load")}, "auto", {}).placement;
  for (std::int32_t rank = 0; rank < 32; ++rank) {
    EXPECT_EQ(machine.node_of(placement.core(Rank{rank})), NodeIndex{rank / 8});
  }
}

TEST(Auto, IsNoWorseThanAnyOtherSolverAndBetterThanBlockOrder) {
  const RandomCase random(11);
  for (const ObjectiveInfo& row : objectives()) {
    const MappingProblem problem{random.traffic, random.machine, row};
    const Score found = solve(problem, "auto", {7, Effort::fast, {}}).score;
    EXPECT_LT(found, solve(problem, "block", {}).score) << row.name;
    if (row.name == "link-load") continue;  // it keeps ranks on the nodes of block order
    for (const SolverInfo& other : solvers()) {
      if (other.optimises) continue;
      EXPECT_LE(found, solve(problem, other.name, {}).score) << row.name << " " << other.name;
    }
  }
}

TEST(Auto, SaysThatADeadlineCutItShortAndEndsSoonOnceAStopIsRequested) {
  Random random(12);
  const Machine machine = tree({4, 8, 32}, {1, 10, 100});
  const Traffic traffic = random_messages(1024, 4096, random);
  const MappingProblem problem{traffic, machine, objective("hop-bytes")};
  EXPECT_TRUE(solve(problem, "auto", {1, Effort::strong, 0.01}).cut_short);
  std::stop_source source;
  source.request_stop();
  const double start_cpu_s = process_cpu_s();
  EXPECT_THROW((void)solve(problem, "auto", {1, Effort::strong, {}, 1, source.get_token()}), Stopped);
  EXPECT_LT(process_cpu_s() - start_cpu_s, 1);  // unstopped: minutes
}

TEST(Auto, KeepsToADeadlineWhileItSetsUpDenseTraffic) {
  Random random(12);
  const Machine machine = tree({4, 8, 64}, {1, 10, 100});
  const Traffic traffic = random_messages(2048, 1'000'000, random);
  for (const char* objective_name : {"hop-bytes", "congestion"}) {
    const MappingProblem problem{traffic, machine, objective(objective_name)};
    const Solution solution = solve(problem, "auto", {1, Effort::standard, 0.2});
    EXPECT_TRUE(solution.cut_short);
    EXPECT_LT(solution.cpu_s, 10)
        << objective_name;  // 1 s; 2.5 s on a busy machine; without a deadline: 30 s
  }
}

TEST(Improve, StartsFromAPlacementThatIsGivenAndNeverMakesItWorse) {
  // 400 ranks, ten per core: first dealt out round-robin, then in order, which is nearly the best.
  const Machine machine = tree({4, 10}, {1, 10});
  const Traffic traffic = grid(20, 20);
  const ObjectiveInfo& hop_bytes = objective("hop-bytes");
  const MappingProblem problem{traffic, machine, hop_bytes, false, {.oversubscribe = true}};
  std::vector<std::int32_t> dealt(400), ordered(400);
  for (std::int32_t rank = 0; rank < 400; ++rank) {
    dealt[rank] = rank % 40;
    ordered[rank] = rank / 10;
  }
  const auto improved = [&](const std::vector<std::int32_t>& cores) {
    return improve(problem, {placed(cores)}, {1, Effort::fast, {}});
  };
  EXPECT_LE(improved(ordered).score, hop_bytes.evaluate(traffic, machine, placed(ordered)));
  const Solution found = improved(dealt);
  EXPECT_LT(found.score, hop_bytes.evaluate(traffic, machine, placed(dealt)));
  std::map<std::int32_t, int> ranks_on;
  for (const std::int32_t core : cores_of(found.placement)) ++ranks_on[core];
  EXPECT_EQ(ranks_on.size(), 40);
  EXPECT_TRUE(std::ranges::all_of(ranks_on, [](const auto& entry) { return entry.second == 10; }));
}

TEST(Improve, CountsWhatTheStartTook) {
  const Machine machine = tree({2, 2}, {1, 10});
  const Traffic traffic = ring(4);
  const MappingProblem problem{traffic, machine, objective("hop-bytes")};
  const Start start{placed({0, 2, 1, 3}), 5.0};
  EXPECT_GE(improve(problem, start, {}).cpu_s, 5.0);
  EXPECT_FALSE(improve(problem, start, {}).cut_short);
  EXPECT_TRUE(improve(problem, start, {1, Effort::fast, 4.0}).cut_short);
}

TEST(Improve, RefusesAStartThatBreaksTheRules) {
  const Machine machine = tree({2, 2}, {1, 10});
  const Traffic traffic = ring(4);
  MappingProblem problem{traffic, machine, objective("hop-bytes")};
  EXPECT_THROW((void)improve(problem, {placed({0, 0, 1, 2})}, {}), Error);
  EXPECT_THROW((void)improve(problem, {placed({0, 1, 2})}, {}), Error);
  problem.constraints.core_of_rank = {CoreIndex{3}, kAnyCore, kAnyCore, kAnyCore};
  EXPECT_THROW((void)improve(problem, {placed({0, 1, 2, 3})}, {}), Error);
}

}  // namespace
}  // namespace corewise
