/// An objective that is not in the table: solvers accept any ObjectiveInfo.
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

const ObjectiveInfo kNetworkBytes{.name = "network-bytes",
                                  .unit = "bytes",
                                  .sentence = "bytes between nodes",
                                  .source = "this test",
                                  .evaluate = evaluate_network_bytes,
                                  .form = form_of_network_bytes};

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

TEST(OwnObjective, IsProvenOnUnevenMachinesAndSharedCores) {
  Random random(60);
  for (int sample = 0; sample < 40; ++sample) {
    const UnevenCase c = uneven_case(random);
    expect_optimal({c.traffic, c.machine, kNetworkBytes, sample % 2 == 0, {c.capacity}},
                   concat("sample ", sample));
  }
}

TEST(OwnObjective, IsProvenUnderConstraints) {
  const Machine machine = machine_of({two_level_node({3, 2}), two_level_node({2})});
  const Traffic traffic = ring(5);
  const Constraints fixed{.core_of_rank = {kAnyCore, CoreIndex{5}, kAnyCore, kAnyCore, kAnyCore},
                          .node_of_rank = {kAnyNode, kAnyNode, NodeIndex{0}, kAnyNode, kAnyNode}};
  for (const bool worst : {false, true}) {
    const MappingProblem problem{traffic, machine, kNetworkBytes, worst, fixed};
    expect_optimal(problem, "constrained");
    const Placement placement = solve(problem, "auto", {}).placement;
    EXPECT_EQ(placement.core(Rank{1}), CoreIndex{5});
    EXPECT_EQ(machine.node_of(placement.core(Rank{2})), NodeIndex{0});
  }
}

TEST(OwnObjective, BoundsAnotherSumOfDistances) {
  Random random(61);
  for (int sample = 0; sample < 40; ++sample) {
    const UnevenCase c = uneven_case(random);
    const auto bound = [&](bool worst) {
      return bounds::objective_bound(with_places({c.traffic, c.machine, kNetworkBytes, worst, {c.capacity}}));
    };
    const Score least = bound(false), most = bound(true);
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

}  // namespace
}  // namespace corewise
