/// Bounds of all objectives against every placement of few ranks.
#include "proof/bound.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "corewise/random.hpp"
#include "mapping_cases.hpp"
#include "proof/crossing.hpp"
#include "slots.hpp"

namespace corewise {
namespace {

using namespace corewise::testing;
using ::testing::ElementsAre;

struct Case {
  Machine machine;
  Traffic traffic;
  std::vector<std::int32_t> capacity;
};

/// One or two nodes of different packages, at most seven cores, some of them forbidden or shared.
Case random_case(Random& random) {
  std::vector<NodeShape> shapes;
  std::int32_t left = 7;
  for (std::uint32_t node = 0; node < 1 + random.below(2); ++node) {
    std::vector<std::int32_t> packages;
    for (std::uint32_t package = 0; package < 1 + random.below(3) && left > 0; ++package) {
      packages.push_back(1 + static_cast<std::int32_t>(random.below(std::min(left, 3))));
      left -= packages.back();
    }
    if (!packages.empty()) shapes.push_back(two_level_node(packages));
  }
  Case found{machine_of(std::move(shapes)), {}, {}};
  found.capacity.assign(found.machine.n_cores(), 1);
  if (random.below(3) == 0) {
    for (std::int32_t& capacity : found.capacity) capacity = static_cast<std::int32_t>(random.below(3));
    found.capacity.front() = 1;
  }
  const std::int32_t places = std::accumulate(found.capacity.begin(), found.capacity.end(), 0);
  const std::int32_t n_ranks =
      std::min(6, places - static_cast<std::int32_t>(random.below(2) * (places > 2)));
  for (std::uint32_t phase = 0; phase < 1 + random.below(2); ++phase) {
    std::vector<MatrixEntry> entries;
    for (std::uint32_t i = 0; i < 3 + random.below(20); ++i) {
      entries.push_back({Rank{static_cast<std::int32_t>(random.below(n_ranks))},
                         Rank{static_cast<std::int32_t>(random.below(n_ranks))}, 1 + random.below(900),
                         1 + random.below(3)});
    }
    found.traffic.phases.push_back({1 + random.below(3), CommMatrix::from_entries(n_ranks, entries)});
  }
  return found;
}

/// Calls use(placement) for every placement that the problem allows.
void for_each_placement(const MappingProblem& problem, const std::function<void(const Placement&)>& use) {
  std::vector<std::int32_t> left = problem.core_capacity;
  std::vector<std::int32_t> cores;
  const std::vector<NodeIndex> node =
      problem.objective.name == "link-load" ? given_nodes(problem) : std::vector<NodeIndex>();
  const std::function<void()> place_next = [&] {
    if (std::ssize(cores) == problem.traffic.n_ranks()) return use(placed(cores));
    for (std::int32_t core = 0; core < problem.machine.n_cores(); ++core) {
      if (left[core] == 0) continue;
      if (!node.empty() && problem.machine.node_of(CoreIndex{core}) != node[cores.size()]) continue;
      --left[core];
      cores.push_back(core);
      place_next();
      cores.pop_back();
      ++left[core];
    }
  };
  place_next();
}

TEST(ObjectiveBound, IsNeverBeatenByAnyPlacement) {
  Random random(20);
  for (int sample = 0; sample < 60; ++sample) {
    const Case c = random_case(random);
    for (const ObjectiveInfo& row : objectives()) {
      const Score lower = proof::objective_bound({c.traffic, c.machine, row, false, c.capacity, {}});
      const Score upper = proof::objective_bound({c.traffic, c.machine, row, true, c.capacity, {}});
      const MappingProblem problem{c.traffic, c.machine, row, false, c.capacity, {}};
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

MappingProblem hop_problem(const Traffic& traffic, const Machine& machine, bool worst,
                           std::vector<std::int32_t> capacity) {
  return {traffic, machine, objective("hop-bytes"), worst, std::move(capacity), {}};
}

TEST(ObjectiveBound, AddsUpWhatCrossesOnUnevenMachinesWithSharedCores) {
  // Rank 0 has three partners, 5 B each; its core takes two ranks, its package one more, its node a third.
  const Machine machine = machine_of({two_level_node({2, 1}), two_level_node({1, 1})});
  const Traffic traffic = traffic_of(4, {{0, 1, 5}, {0, 2, 5}, {3, 0, 5}});
  // Half of what ranks must send outside, rounded up: rank 0 has 10 B beyond its core, 5 beyond its package.
  const auto best = proof::objective_bound(hop_problem(traffic, machine, false, {2, 1, 1, 1, 1}));
  EXPECT_THAT(best.values, ElementsAre(5 + 3));
  const auto worst = proof::objective_bound(hop_problem(traffic, machine, true, {2, 1, 1, 1, 1}));
  EXPECT_THAT(worst.values, ElementsAre(45));  // all 15 B over the network, at distance 3
}

TEST(ObjectiveBound, OfCongestionIsTheMeanOverLinksOrTheHeaviestRank) {
  // A star of 4 on (0 1)(2 3): the centre keeps one of three partners of 6 B, so 12 B leave its package.
  const Machine machine = machine_of({two_level_node({2, 2})});
  const Traffic traffic = traffic_of(4, {{0, 1, 6}, {0, 2, 6}, {3, 0, 6}});
  const MappingProblem problem{traffic, machine, objective("congestion"), false, {1, 1, 1, 1}, {}};
  EXPECT_THAT(proof::objective_bound(problem).values, ElementsAre(12));
}

TEST(ObjectiveBound, OfTimeAddsTheLatenciesOfAHeavyRank) {
  // Latencies 1 and 2 s: rank 0 sends one partner 30 messages inside its package, the other 10 outside.
  const Machine machine = machine_of({two_level_node({2, 2})});
  const Traffic traffic =
      Traffic::of(CommMatrix::from_entries(3, {{Rank{0}, Rank{1}, 1, 30}, {Rank{0}, Rank{2}, 1, 10}}));
  const MappingProblem problem{traffic, machine, objective("time"), false, {1, 1, 1, 1}, {}};
  EXPECT_NEAR(proof::objective_bound(problem).values.front(), 30 * 1 + 10 * 2, 1e-9);
}

TEST(Solve, ProvesWhatReachesItsBound) {
  // Two messages between two ranks: however few cores or phases, the bound is the time itself.
  const Machine machine = machine_of({two_level_node({2, 2}), two_level_node({2, 2})});
  const Traffic traffic = traffic_of(2, {{0, 1, 4}, {1, 0, 4}});
  const Solution found = solve({traffic, machine, objective("time"), false, {}, {}}, "spread", {});
  EXPECT_FALSE(found.bound.has_value());  // aims at something else
  const Solution best = solve({traffic, machine, objective("time"), false, {}, {}}, "auto", {});
  EXPECT_TRUE(best.proven);
  EXPECT_EQ(best.bound, best.score);
}

}  // namespace
}  // namespace corewise
