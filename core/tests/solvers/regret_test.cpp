/// Least regret: by hand, against every placement, and on more ranks than can be enumerated.
#include "corewise/regret.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "corewise/error.hpp"
#include "random_cases.hpp"
#include "solvers/regret/relative_loss.hpp"

namespace corewise {
namespace {

using namespace corewise::testing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Phase 0: 0-1 and 2-3 talk; phase 1: 0-2 and 1-3, a hundred times as much.
Traffic two_wishes() {
  Traffic traffic;
  traffic.phases.push_back({1, matrix_of(4, {{0, 1, 10}, {2, 3, 20}})});
  traffic.phases.push_back({1, matrix_of(4, {{0, 2, 1000}, {1, 3, 1000}})});
  return traffic;
}

TEST(LeastRegret, LooksAtRelativeLossesNotAtBytes) {
  // Pairs at distance 1, packages at 2. One wish costs the other all: alone phase 0 has 30, phase 1 2000, at
  // most twice as much. Packages (0 3)(1 2) fulfil neither; every placement has regret 1, and auto's sum
  // picks phase 1.
  const Machine machine = machine_of({two_level_node({2, 2})});
  const Traffic traffic = two_wishes();
  const RegretSolution found = solve_least_regret({traffic, machine, objective("hop-bytes")}, "exact", {});
  EXPECT_TRUE(found.proven);
  EXPECT_THAT(found.greatest.values, ElementsAre(1.0));
  EXPECT_THAT(found.phases[0].own_best.values, ElementsAre(30));
  EXPECT_THAT(found.phases[1].own_best.values, ElementsAre(2000));
}

TEST(LeastRegret, OfOnePhaseIsNone) {
  const Machine machine = draco(1);
  const Traffic traffic = ring(8);
  for (const ObjectiveInfo& row : objectives()) {
    for (const bool worst : {false, true}) {
      const RegretSolution found = solve_least_regret({traffic, machine, row, worst}, "auto", {});
      EXPECT_THAT(found.greatest.values, ::testing::Each(0.0)) << row.name;
    }
  }
}

TEST(LeastRegret, IsThatOfTheBestOfAllPlacements) {
  Random random(50);
  int n_proven = 0;
  for (int sample = 0; sample < 30; ++sample) {
    UnevenCase c = uneven_case(random);
    const Traffic more = uneven_case(random).traffic;
    for (const Phase& phase : more.phases) {
      if (phase.matrix.n_ranks() == c.traffic.n_ranks()) c.traffic.phases.push_back(phase);
    }
    for (const ObjectiveInfo& row : objectives()) {
      const bool worst = sample % 3 == 0;
      const PlacedProblem problem = with_places({c.traffic, c.machine, row, worst, {c.capacity}});
      std::vector<Traffic> phases;
      std::vector<Score> own(c.traffic.phases.size());
      for (const Phase& phase : c.traffic.phases) phases.push_back({{{1, phase.matrix}}, {}});
      const auto score = [&](std::size_t i, const Placement& placement) {
        return row.evaluate(phases[i], c.machine, placement);
      };
      for_each_placement(problem, [&](const Placement& placement) {
        for (std::size_t i = 0; i < phases.size(); ++i) {
          const Score value = score(i, placement);
          if (own[i].values.empty() || (worst ? value > own[i] : value < own[i])) own[i] = value;
        }
      });
      std::optional<std::vector<double>> least;
      for_each_placement(problem, [&](const Placement& placement) {
        std::vector<double> greatest;
        for (std::size_t i = 0; i < phases.size(); ++i) {
          greatest = std::max(greatest, relative_loss(score(i, placement).values, own[i].values, worst));
        }
        least = least ? std::min(*least, greatest) : greatest;
      });
      const RegretSolution found = solve_least_regret(problem, "auto", {});
      n_proven += found.proven;
      EXPECT_EQ(found.greatest.values, least) << row.name << " of sample " << sample;
    }
  }
  EXPECT_GT(n_proven, 80);
}

TEST(LeastRegret, OfManyRanksIsLessThanThatOfTheBestForAllTogether) {
  // A small exchange along rows and a large one along columns of 8 x 8, on 8 nodes of 8: the sum hears only
  // one.
  Traffic traffic;
  std::vector<Message> rows, columns;
  for (std::int32_t rank = 0; rank < 64; ++rank) {
    rows.push_back({rank, rank / 8 * 8 + (rank + 1) % 8, 1});
    columns.push_back({rank, (rank + 8) % 64, 1000});
  }
  traffic.phases.push_back({1, matrix_of(64, rows)});
  traffic.phases.push_back({1, matrix_of(64, columns)});
  const Machine machine = draco(8);
  for (const std::string_view name : {"hop-bytes"}) {
    const MappingProblem problem{traffic, machine, objective(name)};
    const RegretSolution found = solve_least_regret(problem, "auto", {1, Effort::fast, {}});
    const Placement together = solve(problem, "auto", {1, Effort::fast, {}}).placement;
    double greatest = 0;
    for (std::size_t i = 0; i < 2; ++i) {
      const Traffic phase{{traffic.phases[i]}, {}};
      const Score value = problem.objective.evaluate(phase, machine, together);
      greatest =
          std::max(greatest, relative_loss(value.values, found.phases[i].own_best.values, false).front());
    }
    EXPECT_LT(found.greatest.values.front(), greatest) << name;
    const RegretSolution again = solve_least_regret(problem, "auto", {1, Effort::fast, {}});
    EXPECT_EQ(cores_of(again.solution.placement), cores_of(found.solution.placement));
  }
}

TEST(LeastRegret, KeepsConstraintsAndDeadlines) {
  const Machine machine = draco(2);
  Traffic traffic = ring(7);
  traffic.phases.push_back({1, matrix_of(7, {{0, 6, 5}, {1, 5, 5}})});
  Constraints constraints{.cores_per_rank = std::vector<std::int32_t>(7, 2)};
  constraints.core_of_rank.assign(7, kAnyCore);
  constraints.core_of_rank[3] = CoreIndex{8};
  const MappingProblem problem{traffic, machine, objective("time"), false, constraints};
  for (const std::optional<double> deadline : {std::optional<double>(), std::optional<double>(0.0)}) {
    const Placement placement =
        solve_least_regret(problem, "auto", {1, Effort::fast, deadline}).solution.placement;
    EXPECT_NO_THROW(validate(placement, machine, {}));
    EXPECT_THAT(placement.cores(Rank{3}), ElementsAre(CoreIndex{8}, CoreIndex{9}));
  }
}

TEST(LeastRegret, IsRefusedBySolversThatAimAtNothing) {
  const Machine machine = draco(1);
  const Traffic traffic = ring(8);
  EXPECT_THAT(
      refusal_of([&] { (void)solve_least_regret({traffic, machine, objective("time")}, "block", {}); }),
      HasSubstr("block looks for no least regret; use auto or exact"));
}

}  // namespace
}  // namespace corewise
