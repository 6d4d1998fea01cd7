/// Objectives that are not in the table: solvers accept any ObjectiveInfo.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "corewise/solver.hpp"
#include "solvers/bounds/bound.hpp"
#include "solvers/problem/slot_placement.hpp"
#include "solvers/random_cases.hpp"
#include "text.hpp"

namespace corewise {
namespace {

using namespace corewise::testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Greatest distance of two ranks that exchange messages in any phase.
Score evaluate_greatest_dilation(const Traffic& traffic, const Machine& machine, const Placement& placement) {
  std::uint32_t greatest = 0;
  for (const Phase& phase : traffic.phases) {
    for (std::int32_t src = 0; src < traffic.n_ranks(); ++src) {
      for (const PairTraffic& entry : phase.matrix.row(Rank{src})) {
        greatest =
            std::max(greatest, machine.distance(placement.core(Rank{src}), placement.core(entry.peer)));
      }
    }
  }
  return Score{{static_cast<double>(greatest)}};
}

/// [level, top down]: number of pairs that meet at this level.
Score evaluate_pairs_by_level(const Traffic& traffic, const Machine& machine, const Placement& placement) {
  Score score{std::vector<double>(machine.n_levels(), 0.0)};
  const PairGraph graph(traffic.folded());
  for (std::int32_t rank = 0; rank < graph.n_ranks(); ++rank) {
    for (const PairTraffic& pair : graph.partners(Rank{rank})) {
      const int meeting = machine.meeting_level(placement.core(Rank{rank}), placement.core(pair.peer));
      if (meeting > 0) score.values[machine.n_levels() - meeting] += 0.5;
    }
  }
  return score;
}

/// Bytes between nodes.
Score evaluate_network_bytes(const Traffic& traffic, const Machine& machine, const Placement& placement) {
  double bytes = 0;
  for (const Phase& phase : traffic.phases) {
    for (std::int32_t src = 0; src < traffic.n_ranks(); ++src) {
      for (const PairTraffic& entry : phase.matrix.row(Rank{src})) {
        const NodeIndex here = machine.node_of(placement.core(Rank{src}));
        if (machine.node_of(placement.core(entry.peer)) == here) continue;
        bytes += static_cast<double>(phase.repeat * entry.bytes);
      }
    }
  }
  return Score{{bytes}};
}

ObjectiveForm form_of_network_bytes(const Machine& machine) {
  DistanceSum form;
  for (int level = 1; level <= machine.n_levels(); ++level) {
    form.distance.push_back(level > machine.node_level() ? 1 : 0);
  }
  return form;
}

const ObjectiveInfo kGreatestDilation{.name = "greatest-dilation",
                                      .unit = "distance",
                                      .sentence = "distance of the two ranks farthest apart that talk",
                                      .source = "this test",
                                      .evaluate = evaluate_greatest_dilation};
const ObjectiveInfo kPairsByLevel{.name = "pairs-by-level",
                                  .unit = "pairs",
                                  .sentence = "pairs that meet at each level, top down",
                                  .source = "this test",
                                  .is_list = true,
                                  .evaluate = evaluate_pairs_by_level};
const ObjectiveInfo kPairsInsideNodes{.name = "pairs-inside-nodes",
                                      .unit = "pairs",
                                      .sentence = "pairs that meet at each level; ranks stay on their nodes",
                                      .source = "this test",
                                      .is_list = true,
                                      .keeps_nodes = true,
                                      .evaluate = evaluate_pairs_by_level};
const ObjectiveInfo kNetworkBytes{.name = "network-bytes",
                                  .unit = "bytes",
                                  .sentence = "bytes between nodes",
                                  .source = "this test",
                                  .evaluate = evaluate_network_bytes,
                                  .form = form_of_network_bytes};

const std::vector<const ObjectiveInfo*> kRows{&kGreatestDilation, &kPairsByLevel, &kPairsInsideNodes,
                                              &kNetworkBytes};

void expect_optimal(const MappingProblem& problem, const std::string& label) {
  const std::optional<Score> expected = enumerated(with_places(problem));
  for (const std::string_view solver_name : {"auto", "exact"}) {
    const Solution found = solve(problem, solver_name, {});
    EXPECT_EQ(found.score, expected) << label << " by " << solver_name;
    EXPECT_EQ(found.score, score_of(problem, found.placement)) << label << " by " << solver_name;
    EXPECT_TRUE(found.proven) << label << " by " << solver_name;
    EXPECT_EQ(found.bound, expected) << label << " by " << solver_name;
  }
}

TEST(OwnObjective, IsProvenOnRegularMachines) {
  const Machine machine = machine_of({two_level_node({2, 2}), two_level_node({2, 2})});
  for (const ObjectiveInfo* row : kRows) {
    for (const bool worst : {false, true}) {
      for (const Traffic& traffic :
           {ring(6), binomial(4), traffic_of(5, {{0, 1, 9}, {0, 2, 5}, {3, 4, 1}})}) {
        expect_optimal({traffic, machine, *row, worst}, std::string(row->name));
      }
    }
  }
}

TEST(OwnObjective, IsProvenOnUnevenMachinesAndSharedCores) {
  Random random(60);
  for (int sample = 0; sample < 40; ++sample) {
    const UnevenCase c = uneven_case(random);
    for (const ObjectiveInfo* row : kRows) {
      expect_optimal({c.traffic, c.machine, *row, sample % 2 == 0, {c.capacity}},
                     concat(row->name, " of sample ", sample));
    }
  }
}

TEST(OwnObjective, IsProvenUnderConstraints) {
  const Machine machine = machine_of({two_level_node({3, 2}), two_level_node({2})});
  const Traffic traffic = ring(5);
  const Constraints fixed{.core_of_rank = {kAnyCore, CoreIndex{5}, kAnyCore, kAnyCore, kAnyCore},
                          .node_of_rank = {kAnyNode, kAnyNode, NodeIndex{0}, kAnyNode, kAnyNode}};
  for (const ObjectiveInfo* row : kRows) {
    for (const bool worst : {false, true}) {
      const MappingProblem problem{traffic, machine, *row, worst, fixed};
      expect_optimal(problem, std::string(row->name));
      const Placement placement = solve(problem, "auto", {}).placement;
      EXPECT_EQ(placement.core(Rank{1}), CoreIndex{5});
      EXPECT_EQ(machine.node_of(placement.core(Rank{2})), NodeIndex{0});
    }
  }
}

TEST(OwnObjective, ThatKeepsNodesMovesRanksInsideThemAlone) {
  const Machine machine = draco(4);
  const Traffic traffic = ring(32);
  for (const std::string_view solver_name : {"auto"}) {
    const Placement placement = solve({traffic, machine, kPairsInsideNodes}, solver_name, {}).placement;
    for (std::int32_t rank = 0; rank < 32; ++rank) {
      EXPECT_EQ(machine.node_of(placement.core(Rank{rank})), NodeIndex{rank / 8});
    }
  }
}

TEST(OwnObjective, BoundsAnotherSumOfDistances) {
  Random random(61);
  for (int sample = 0; sample < 40; ++sample) {
    const UnevenCase c = uneven_case(random);
    const auto bound = [&](bool worst) {
      return bounds::objective_bound(with_places({c.traffic, c.machine, kNetworkBytes, worst, {c.capacity}}));
    };
    const Score least = bound(false).value(), most = bound(true).value();
    for_each_placement(with_places({c.traffic, c.machine, kNetworkBytes, false, {c.capacity}}),
                       [&](const Placement& placement) {
                         const Score score = evaluate_network_bytes(c.traffic, c.machine, placement);
                         ASSERT_LE(least, score) << "sample " << sample;
                         ASSERT_GE(most, score) << "sample " << sample;
                       });
  }
}

TEST(OwnObjective, GivesTheSearchItsDistances) {
  const Machine machine = draco(2);
  const Traffic traffic = ring(4);
  const SlotTree tree = slot_tree_of(with_places({traffic, machine, kNetworkBytes}));
  EXPECT_EQ(tree.distance_of_level(machine.node_level()), 0);
  EXPECT_EQ(tree.distance_of_level(machine.n_levels()), 1);
}

/// A ring of ranks in a random order.
Traffic shuffled_ring(std::int32_t n_ranks) {
  std::vector<std::int32_t> order;
  for (std::int32_t rank = 0; rank < n_ranks; ++rank) order.push_back(rank);
  Random(7).shuffle(std::span(order));
  std::vector<Message> messages;
  for (std::int32_t i = 0; i < n_ranks; ++i) messages.push_back({order[i], order[(i + 1) % n_ranks], 1});
  return traffic_of(n_ranks, messages);
}

TEST(OwnObjective, OfManyRanksIsSearchedWithoutABound) {
  const Machine machine = draco(4);
  const Traffic traffic = shuffled_ring(32);
  for (const bool worst : {false, true}) {
    const MappingProblem problem{traffic, machine, kPairsByLevel, worst};
    const Solution found = solve(problem, "auto", {});
    EXPECT_FALSE(found.proven);
    EXPECT_FALSE(found.bound.has_value());
    EXPECT_FALSE(found.cut_short);
    // At best one pair crosses from each of the 4 nodes to the next; at worst all 32 pairs cross.
    EXPECT_EQ(found.score.values.front(), worst ? 32 : 4);
    for (const std::string_view other : {"block", "round-robin", "spread", "frequency-major"}) {
      const Score simple = solve(problem, other, {}).score;
      EXPECT_TRUE(worst ? found.score >= simple : found.score <= simple) << other;
    }
  }
}

TEST(OwnObjective, IsSearchedAlikeOnAnyNumberOfThreads) {
  const Machine machine = draco(4);
  const Traffic traffic = shuffled_ring(32);
  const MappingProblem problem{traffic, machine, kGreatestDilation};
  const Solution one = solve(problem, "auto", {3, Effort::standard, {}, 1});
  const Solution many = solve(problem, "auto", {3, Effort::standard, {}, 3});
  EXPECT_EQ(cores_of(one.placement), cores_of(many.placement));
}

TEST(OwnObjective, IsSearchedUntilTheDeadline) {
  const Machine machine = draco(4);
  const Traffic traffic = shuffled_ring(32);
  const Solution found = solve({traffic, machine, kGreatestDilation}, "auto", {1, Effort::strong, 0.0});
  EXPECT_TRUE(found.cut_short);
  EXPECT_NO_THROW(validate(found.placement, machine, {}));
}

TEST(OwnObjective, OfManyRanksIsRefusedByExact) {
  const Machine machine = draco(4);
  const Traffic traffic = shuffled_ring(32);
  EXPECT_THAT(
      refusal_of([&] { (void)solve({traffic, machine, kGreatestDilation}, "exact", {1, Effort::fast, {}}); }),
      HasSubstr("exact found no proof for 32 ranks on machine 'test'; use the solver auto"));
}

TEST(OwnObjective, IsImprovedFromAStart) {
  const Machine machine = draco(4);
  const Traffic traffic = shuffled_ring(32);
  const MappingProblem problem{traffic, machine, kPairsByLevel};
  const Placement start = solve(problem, "random", {5, Effort::fast, {}}).placement;
  const Solution found = improve(problem, {start, 0}, {1, Effort::fast, {}});
  EXPECT_LT(found.score, score_of(problem, start));
}

}  // namespace
}  // namespace corewise
