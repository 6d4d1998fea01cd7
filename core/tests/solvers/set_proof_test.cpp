/// Proofs by sets of ranks, compared with every placement of few ranks and with known optima of 16.
#include "solvers/exact/set_proof.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "random_cases.hpp"
#include "search_cases.hpp"

namespace corewise {
namespace {

using namespace corewise::testing;
using ::testing::ElementsAre;

Score by_sets(const PlacedProblem& problem) {
  const CoreTree tree(problem.machine, problem.places.capacity, problem.top_level(), CoreIndex{0});
  const Placement placement(exact::best_by_sets(problem, problem.traffic, tree).value());
  validate(placement, problem.machine, problem.places.capacity);
  return score_of(problem, placement);
}

TEST(BestBySets, EqualsTheEnumerationOfAllPlacementsOnUnevenMachines) {
  Random random(30);
  for (int sample = 0; sample < 150; ++sample) {
    UnevenCase c = uneven_case(random);
    c.traffic.phases.resize(1);
    for (const char* name : {"hop-bytes", "congestion"}) {
      for (const bool worst : {false, true}) {
        const PlacedProblem problem =
            with_places({c.traffic, c.machine, objective(name), worst, {c.capacity}});
        if (problem.machine.n_levels() < 2) continue;
        ASSERT_TRUE(exact::proves_by_sets(problem));
        EXPECT_EQ(by_sets(problem), enumerated(problem)) << name << " of sample " << sample;
      }
    }
  }
}

TEST(SlowestLinkBound, IsNeverBeatenByAnyPlacementAndOftenReached) {
  Random random(32);
  int reached = 0;
  for (int sample = 0; sample < 100; ++sample) {
    const UnevenCase c = uneven_case(random);
    const std::int32_t n = c.traffic.n_ranks();
    std::vector<MatrixEntry> pairs;  // half of the cases have bytes alone, so the slowest link decides
    for (int pair = 0; n > 1 && pair < 6; ++pair) {
      const auto src = static_cast<std::int32_t>(random.below(n));
      const auto dst = static_cast<std::int32_t>((src + 1 + random.below(n - 1)) % n);
      pairs.push_back({Rank{src}, Rank{dst}, 1 + random.below(9), static_cast<std::uint64_t>(sample % 2)});
    }
    const Traffic traffic = Traffic::of(CommMatrix::from_entries(n, std::move(pairs)));
    const PlacedProblem problem = with_places({traffic, c.machine, objective("time"), false, {c.capacity}});
    const std::optional<Score> bound = exact::slowest_link_bound(problem);
    if (!bound) continue;
    const double best_s = enumerated(problem)->values.front();
    EXPECT_LE(bound->values.front(), best_s) << "sample " << sample;
    reached += bound->values.front() >= best_s * (1 - 1e-9);
  }
  EXPECT_GT(reached, 10);
}

TEST(BestBySets, LooksAtLowerLevelsWhereHigherOnesAreEqual) {
  // Regular trees of three levels: two lists of loads whose first values can agree.
  Random random(31);
  const Machine machine = make_tree_machine(std::vector{2, 2, 2}, {});
  for (int sample = 0; sample < 5; ++sample) {
    const Traffic traffic = random_messages(7, 12, random);
    for (const bool worst : {false, true}) {
      const PlacedProblem problem = with_places({traffic, machine, objective("congestion"), worst});
      EXPECT_EQ(by_sets(problem), enumerated(problem)) << "sample " << sample;
    }
  }
}

TEST(BestBySets, IsForSixteenRanksWithoutConstraintsAndOnePhase) {
  const Machine machine = draco(3);
  const Traffic few = ring(16), many = ring(17);
  const ObjectiveInfo& hop_bytes = objective("hop-bytes");
  EXPECT_TRUE(exact::proves_by_sets(with_places({few, machine, hop_bytes})));
  EXPECT_FALSE(exact::proves_by_sets(with_places({many, machine, hop_bytes})));
  EXPECT_FALSE(exact::proves_by_sets(with_places({few, machine, objective("time")})));
  Constraints fixed;
  fixed.core_of_rank.assign(16, kAnyCore);
  fixed.core_of_rank[3] = CoreIndex{0};
  EXPECT_FALSE(exact::proves_by_sets(with_places({few, machine, hop_bytes, false, fixed})));
  Traffic phases = few;
  phases.phases.push_back(phases.phases.front());
  EXPECT_TRUE(exact::proves_by_sets(with_places({phases, machine, hop_bytes})));
  EXPECT_FALSE(exact::proves_by_sets(with_places({phases, machine, objective("congestion")})));
  // Ranks keep their nodes, which have eight each.
  const Traffic on_nodes = ring(24);
  EXPECT_TRUE(
      exact::proves_by_sets(with_nodes_kept(with_places({on_nodes, machine, objective("link-load")}))));
}

TEST(BestBySets, ProvesSixteenRanksWithinASecond) {
  // A grid of 4 x 4 on 2 packages of 2 caches of 4 cores. Best: 16 of its 24 edges are inside squares of 2
  // x 2. Worst: the colours of a chessboard fill the packages, so all edges cross.
  const Machine machine = make_tree_machine(std::vector{4, 2, 2}, std::vector{1u, 10u, 100u});
  const Traffic traffic = grid(4, 4);
  const Solution best = solve({traffic, machine, objective("hop-bytes")}, "auto", {});
  EXPECT_TRUE(best.proven);
  EXPECT_THAT(best.score.values, ElementsAre(16 * 1 + 4 * 10 + 4 * 100));
  EXPECT_EQ(best.bound, best.score);
  EXPECT_LT(best.cpu_s, 1);
  const Solution worst = solve({traffic, machine, objective("congestion"), true}, "auto", {});
  EXPECT_TRUE(worst.proven);
  EXPECT_THAT(worst.score.values, ElementsAre(24, 14));
  EXPECT_LT(worst.cpu_s, 1);
}

}  // namespace
}  // namespace corewise
