/// Solver `auto` and its engine: incremental costs, exact sizes, same answers everywhere.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "corewise/error.hpp"
#include "corewise/random.hpp"
#include "corewise/solver.hpp"
#include "mapping_cases.hpp"
#include "solvers/patterns/grid_mappings.hpp"
#include "solvers/problem/fixed_point.hpp"
#include "solvers/search/construction/bisect.hpp"
#include "solvers/search/construction/multisection.hpp"
#include "solvers/search/hop_cost.hpp"
#include "solvers/search/hop_search.hpp"
#include "solvers/search/load_cost.hpp"
#include "solvers/search/swap_proposer.hpp"

namespace corewise::search {
namespace {

using namespace corewise::testing;

Traffic random_traffic(std::int32_t n_ranks, std::int32_t n_messages, Random& random) {
  std::vector<Message> messages;
  const auto n = static_cast<std::uint32_t>(n_ranks);
  for (std::int32_t i = 0; i < n_messages; ++i) {
    messages.push_back({static_cast<std::int32_t>(random.below(n)),
                        static_cast<std::int32_t>(random.below(n)), 1 + random.below(100)});
  }
  return traffic_of(n_ranks, messages);
}

/// A grid of rows x columns ranks, one byte between neighbours.
Traffic grid(std::int32_t rows, std::int32_t columns) {
  std::vector<Message> messages;
  for (std::int32_t rank = 0; rank < rows * columns; ++rank) {
    if (rank % columns + 1 < columns) messages.push_back({rank, rank + 1, 1});
    if (rank + columns < rows * columns) messages.push_back({rank, rank + columns, 1});
  }
  return traffic_of(rows * columns, messages);
}

std::vector<std::int32_t> in_order(std::int32_t n) {
  std::vector<std::int32_t> slots(n);
  std::iota(slots.begin(), slots.end(), 0);
  return slots;
}

Machine tree(const std::vector<std::int32_t>& arities, const std::vector<std::uint32_t>& distances) {
  return make_tree_machine(arities, distances);
}

TEST(FixedLog, AgreesWithTheLogarithmToFourDigits) {
  EXPECT_EQ(log2_fixed(1), 0);
  EXPECT_EQ(log2_fixed(1024), 10 * 65536);
  EXPECT_NEAR(static_cast<double>(log2_fixed(3)) / 65536, 1.58496, 1e-4);
  EXPECT_EQ(exp2_fixed(10 * 65536), 1024);
  EXPECT_NEAR(static_cast<double>(exp2_fixed(log2_fixed(1'000'000))), 1e6, 100);
  const MetropolisTable table;
  // Entry i is -ln((i + 1/2) / 4096) in units of 2^-12: the middle one is ln 2 = 0.6931.
  EXPECT_NEAR(static_cast<double>(table[2047]) / 4096, 0.6933, 1e-3);
}

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

TEST(HopCost, ChangesBySwapsAsAFullEvaluationDoes) {
  Random random(5);
  const Machine machine = tree({3, 2, 4}, {1, 10, 100});
  const SlotTree slots(machine, {});
  const Graph graph = byte_graph(random_traffic(20, 80, random).folded(), slots.n_slots());
  WorkMeter work(std::nullopt);
  for (const int sign : {1, -1}) {
    HopCost cost(graph, Mapping(slots, in_order(24)), sign, work);
    for (int i = 0; i < 500; ++i) {
      const auto u = static_cast<std::int32_t>(random.below(24)),
                 v = static_cast<std::int32_t>(random.below(24));
      if (u == v) continue;
      cost.swap(u, v, cost.delta(u, v));
      ASSERT_EQ(cost.value(), cost.evaluate());
    }
  }
}

TEST(LoadCost, ChangesBySwapsAsAFullEvaluationDoesOverSeveralPhases) {
  Random random(6);
  const Machine machine = draco(3);
  Traffic traffic = random_traffic(20, 60, random);
  traffic.phases.push_back({3, random_traffic(20, 30, random).phases.front().matrix});
  const SlotTree slots(machine, {});
  WorkMeter work(std::nullopt);
  for (const ObjectiveInfo& row : objectives()) {
    if (row.name == "hop-bytes") continue;
    const PlacedProblem problem = with_places({traffic, machine, row});
    const LoadModel model = make_load_model(problem, slots);
    LoadCost cost(model, Mapping(slots, in_order(24)), 1, work);
    for (int i = 0; i < 200; ++i) {
      const auto u = static_cast<std::int32_t>(random.below(24)),
                 v = static_cast<std::int32_t>(random.below(24));
      if (u == v) continue;
      const Cost delta = cost.delta(u, v);
      if (i % 2 == 0) cost.swap(u, v, delta);  // the others are taken back
    }
    const std::vector<std::int32_t> placed_slots = cost.mapping().slots();
    EXPECT_EQ(cost.value(), cost.evaluate()) << row.name;
    LoadCost anew(model, Mapping(slots, placed_slots), 1, work);
    for (std::size_t channel = 0; channel < 2; ++channel) {
      EXPECT_EQ(cost.max_of_channel(channel), anew.max_of_channel(channel)) << row.name;
    }
  }
}

TEST(LoadCost, HasTheGreatestLoadsOfTheObjective) {
  // Draco, 8 ranks in a ring of 5 bytes: each cache and each package is left by two messages, 10 bytes.
  const Machine machine = draco(1);
  const Traffic traffic = ring(8, 5);
  const SlotTree slots(machine, {});
  const PlacedProblem problem = with_places({traffic, machine, objective("link-load")});
  const LoadModel model = make_load_model(problem, slots);
  WorkMeter work(std::nullopt);
  LoadCost cost(model, Mapping(slots, in_order(8)), 1, work);
  EXPECT_EQ(cost.max_of_channel(0), 10);  // class 2: caches
  EXPECT_EQ(cost.max_of_channel(1), 10);  // class 3: packages
}

TEST(Bisect, GivesExactlyTheSizeAskedFor) {
  Random random(7);
  WorkMeter work(std::nullopt);
  for (int sample = 0; sample < 40; ++sample) {
    const auto n = static_cast<std::int32_t>(2 + random.below(300));
    const Graph graph =
        byte_graph(random_traffic(n, static_cast<std::int32_t>(random.below(900)), random).folded(), n);
    const auto n_first = static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(n) + 1));
    const std::vector<std::uint8_t> part = bisect(graph, n_first, random, work).side;
    EXPECT_EQ(std::ranges::count(part, 0), n_first);
  }
}

TEST(Bisect, CutsALongGridAcross) {
  // 4 x 32: the best cut into halves goes through four edges.
  Random random(8);
  WorkMeter work(std::nullopt);
  const Graph graph = byte_graph(grid(32, 4).folded(), 128);
  const std::vector<std::uint8_t> part = bisect(graph, 64, random, work).side;
  int cut = 0;
  for (std::int32_t v = 0; v < 128; ++v) {
    for (const Edge& edge : graph.row(v)) cut += edge.to > v && part[v] != part[edge.to];
  }
  EXPECT_EQ(cut, 4);
}

TEST(Multisection, IsAPermutationOnUnevenGroups) {
  Random random(9);
  WorkMeter work(std::nullopt);
  const Machine machine =
      machine_of({two_level_node({3, 5}), two_level_node({1}), two_level_node({2, 2, 7})});
  const SlotTree slots(machine, {});
  const Graph graph = byte_graph(random_traffic(17, 60, random).folded(), slots.n_slots());
  std::vector<std::int32_t> slot_of = multisection(graph, slots, random, work);
  std::ranges::sort(slot_of);
  EXPECT_EQ(slot_of, in_order(20));
}

TEST(Grid, IsSeenInTheTrafficOfItsNeighbours) {
  const std::optional<patterns::GridShape> shape = patterns::detect_grid(byte_graph(grid(6, 5).folded(), 32));
  ASSERT_TRUE(shape);
  EXPECT_EQ(shape->side, (std::array<std::int32_t, 3>{1, 6, 5}));
  EXPECT_FALSE(patterns::detect_grid(byte_graph(ring(30).folded(), 32)));
}

TEST(Grid, SnakesCutRunsThatAreNearlySquare) {
  WorkMeter work(std::nullopt);
  // 12 x 11 on 11 nodes of 12: rows cut 10 * 12 edges.
  const SlotTree slots(tree({12, 11}, {1, 100}), {});
  const Graph graph = byte_graph(grid(12, 11).folded(), 132);
  const auto snakes = patterns::boustrophedon_mappings(graph, slots, *patterns::detect_grid(graph), 1, work);
  ASSERT_EQ(snakes.size(), 1u);
  const HopCost runs(graph, Mapping(slots, snakes.front().slot_of), 1, work);
  EXPECT_LT(runs.value(), (120 * 100 + (241 - 120)) * 2 / 3);
}

TEST(Auto, TilesAGridThatBlockOrderCutsIntoRows) {
  // 8 x 8 on 4 nodes of 4 x 4 = 16 cores in groups of 4: nodes are squares (4 x 4) that cut 16 edges, groups
  // are 2 x 2. 112 edges in all: 16 at distance 100, 32 at 10 (8 a node), 64 at 1.
  const Machine machine = tree({4, 4, 4}, {1, 10, 100});
  const Traffic traffic = grid(8, 8);
  const MappingProblem problem{traffic, machine, objective("hop-bytes")};
  EXPECT_EQ(solve(problem, "auto", {1, Effort::fast, {}}).score.values.front(), 16 * 100 + 32 * 10 + 64);
}

/// Random traffic of 60 ranks on eight nodes of eight cores: no grid, no proof.
struct RandomCase {
  explicit RandomCase(std::uint64_t seed) {
    Random random(seed);
    traffic = random_traffic(60, 200, random);
  }
  Traffic traffic;
  Machine machine = draco(8);
};

TEST(Auto, GivesTheSamePlacementForTheSameSeedOnAnyNumberOfThreads) {
  const RandomCase random(11);
  for (const ObjectiveInfo& row : objectives()) {
    const MappingProblem problem{random.traffic, random.machine, row};
    const auto found = [&](int threads) {
      return cores_of(solve(problem, "auto", {7, Effort::fast, {}, threads}).placement);
    };
    const std::vector<std::int32_t> alone = found(1);
    EXPECT_EQ(found(1), alone) << row.name;
    EXPECT_EQ(found(3), alone) << row.name;
  }
}

TEST(Auto, IsNoWorseThanAnyOtherSolverAndBetterThanBlockOrder) {
  const RandomCase random(11);
  for (const ObjectiveInfo& row : objectives()) {
    const MappingProblem problem{random.traffic, random.machine, row};
    const Score found = solve(problem, "auto", {7, Effort::fast, {}}).score;
    EXPECT_LT(found, solve(problem, "block", {}).score) << row.name;
    if (row.name == "link-load") continue;  // with it ranks stay on the nodes of block order
    for (const SolverInfo& other : solvers()) {
      if (other.optimises) continue;
      EXPECT_LE(found, solve(problem, other.name, {}).score) << row.name << " " << other.name;
    }
  }
}

TEST(HopSearch, EndsAtAMappingThatIsKnownToBeBest) {
  // Squares in squares: 16 edges cut at distance 100, 32 at 10, 64 at 1.
  const Cost least = 16 * 100 + 32 * 10 + 64;
  const SlotTree slots(tree({4, 4, 4}, {1, 10, 100}), {});
  const Graph graph = byte_graph(grid(8, 8).folded(), 64);
  WorkMeter all_work(std::nullopt), work(std::nullopt);
  const auto value_of = [&](const std::vector<std::int32_t>& slot_of) {
    return HopCost(graph, Mapping(slots, slot_of), 1, work).value();
  };
  HopProblem problem{graph, slots, in_order(64)};
  (void)optimise_hop_bytes(problem, {}, all_work);
  problem.is_best = [&](const std::vector<std::int32_t>& slot_of) { return value_of(slot_of) <= least; };
  EXPECT_EQ(value_of(optimise_hop_bytes(problem, {}, work)), least);
  EXPECT_LT(work.steps(), all_work.steps() / 10);  // nothing was annealed
}

TEST(Auto, SaysThatADeadlineCutItShort) {
  Random random(12);
  const Machine machine = tree({4, 8, 32}, {1, 10, 100});
  const Traffic traffic = random_traffic(1024, 4096, random);
  const MappingProblem problem{traffic, machine, objective("hop-bytes")};
  EXPECT_TRUE(solve(problem, "auto", {1, Effort::strong, 0.01}).cut_short);
}

TEST(Improve, StartsFromAPlacementThatIsGivenAndNeverMakesItWorse) {
  // 400 ranks, ten a core: dealt out like cards, then in order, which is nearly the best.
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
}  // namespace corewise::search
