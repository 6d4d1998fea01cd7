/// Bounds for grids, tori, stencils, hypercubes, trees: what they prove, and that no placement beats them.
#include <gtest/gtest.h>

#include "corewise/machine.hpp"
#include "grid_cases.hpp"
#include "random_cases.hpp"
#include "solvers/bounds/bound.hpp"
#include "solvers/patterns/pattern.hpp"
#include "text.hpp"

namespace corewise {
namespace {

using namespace corewise::testing;

Solution searched(const Traffic& traffic, const Machine& machine, std::string_view aim = "hop-bytes") {
  return solve({traffic, machine, objective(aim)}, "auto", {1, Effort::fast, {}});
}

Traffic grid(const std::vector<patterns::GridSide>& axes) {
  return traffic_of(volume(axes), grid_messages(axes));
}

Machine tree(std::vector<std::int32_t> arities) {
  const std::vector<std::uint32_t> distances{1, 10, 100};
  return make_tree_machine(arities, std::span(distances).first(arities.size()));
}

TEST(PatternBound, ProvesGridsToriStencilsHypercubesAndTreesOf128Ranks) {
  const Machine machine = tree({4, 2, 16});
  EXPECT_TRUE(searched(grid({{1, 16, false}, {1, 8, false}}), machine).proven);
  EXPECT_TRUE(searched(grid({{40, 8, false}, {25, 4, false}, {10, 4, false}}), machine).proven);
  EXPECT_TRUE(searched(grid({{1, 8, true}, {1, 4, true}, {1, 4, true}}), machine).proven);
  EXPECT_TRUE(searched(ring(128), machine).proven);
  EXPECT_TRUE(searched(traffic_of(128, stencil_messages({{4, 8}, {4, 4}, {4, 4}})), machine).proven);
  EXPECT_TRUE(searched(recursive_doubling(128), machine).proven);
  EXPECT_TRUE(searched(binomial(128), machine).proven);
}

TEST(PatternBound, LeavesAGapWhereGroupsDoNotFitTheGrid) {
  // 9 x 15 in groups of 5 and 15: one group of 5 can have 5 pairs inside, but not all groups can.
  const Solution found = searched(grid({{1, 9, false}, {1, 15, false}}), tree({5, 3, 9}));
  EXPECT_FALSE(found.proven);
  EXPECT_LT(*found.bound, found.score);
}

TEST(PatternBound, CountsAHeavyPairAsOneOfItsAxis) {
  // 16 x 8 with one pair that is a thousand times heavier: the bound counts that pair like its neighbours.
  std::vector<Message> messages = grid_messages({{10, 16, false}, {10, 8, false}});
  messages.front().bytes = 10'000;
  const Machine machine = tree({4, 2, 16});
  const Solution found = searched(traffic_of(128, messages), machine);
  const Solution even = searched(grid({{10, 16, false}, {10, 8, false}}), machine);
  EXPECT_GE(found.bound->values.front(), 0.99 * even.score.values.front());
  EXPECT_LE(*found.bound, found.score);
}

TEST(PatternBound, OfCongestionIsTheMeanOverLinks) {
  const Traffic traffic = grid({{1, 16, false}, {1, 16, false}});
  const Machine machine = tree({16, 16});
  const Score bound =
      bounds::objective_bound(with_places({traffic, machine, objective("congestion")})).value();
  // 16 squares of 4 x 4 cut 96 of 480 pairs: 2 * 96 / 16 = 12 per link on average.
  EXPECT_EQ(bound.values.front(), 12);
}

TEST(PatternBound, IsSkippedWhereSumsWouldNotFit) {
  // 2^53 B between neighbours, which all leave their cores. Only the bound by each rank's partners remains.
  const Cost heavy = Cost{1} << 53;
  const Traffic traffic = grid({{heavy, 16, false}, {heavy, 8, false}});
  const Machine machine = make_tree_machine(std::vector{4, 2, 16}, std::vector{1u, 2u, 3u});
  const PlacedProblem problem = with_places({traffic, machine, objective("hop-bytes")});
  EXPECT_GE(bounds::objective_bound(problem).value().values.front(), 232.0 * static_cast<double>(heavy));
  EXPECT_TRUE(patterns::find_patterns(PairGraph(traffic.folded()), 128, 8).empty());
}

/// A grid, a stencil or a tree, with further random pairs.
Traffic random_pattern(Random& random) {
  std::vector<patterns::GridSide> axes;
  while (volume(axes) < 20 && axes.size() < 6) {
    const auto side = static_cast<std::int32_t>(2 + random.below(4));
    axes.push_back({static_cast<Cost>(1 + random.below(50)), side, random.below(2) == 0});
  }
  std::vector<Message> messages = grid_messages(axes);
  const std::int32_t n = volume(axes);
  const std::uint32_t class_id = random.below(4);
  if (class_id == 0) {
    std::vector<patterns::StencilSide> sides;
    for (const patterns::GridSide& axis : axes) sides.push_back({1 + axis.weight, axis.side});
    messages = stencil_messages(sides);
  } else if (class_id == 1) {
    messages.clear();
    for (std::int32_t rank = 1; rank < n; ++rank) {
      messages.push_back({static_cast<std::int32_t>(random.below(rank)), rank, 1 + random.below(50)});
    }
  }
  for (std::uint32_t extras = random.below(2) * random.below(n); extras > 0; --extras) {
    messages.push_back({static_cast<std::int32_t>(random.below(n)),
                        static_cast<std::int32_t>(random.below(n)), 1 + random.below(20)});
  }
  return traffic_of(n, messages);
}

/// Nodes of different packages with at least n cores.
Machine uneven_machine(std::int32_t n, Random& random) {
  std::vector<NodeShape> shapes;
  for (std::int32_t left = n + static_cast<std::int32_t>(random.below(4)); left > 0;) {
    std::vector<std::int32_t> packages;
    for (std::uint32_t package = 0; package < 1 + random.below(3) && left > 0; ++package) {
      packages.push_back(1 + static_cast<std::int32_t>(random.below(std::min(left, 9))));
      left -= packages.back();
    }
    shapes.push_back(two_level_node(packages));
  }
  return machine_of(std::move(shapes));
}

TEST(PatternBound, IsNeverBeatenBySearchedOrRandomPlacementsOnUnevenMachines) {
  Random random(30);
  for (int sample = 0; sample < 12; ++sample) {
    const Traffic traffic = random_pattern(random);
    const Machine machine = uneven_machine(traffic.n_ranks(), random);
    for (const ObjectiveInfo& row : objectives()) {
      SCOPED_TRACE(concat(row.name, " of sample ", sample));
      const Score bound = bounds::objective_bound(with_places({traffic, machine, row})).value();
      const bool nodes_are_given = row.name == "link-load";
      for (const std::string_view solver : {"auto", "random", "round-robin"}) {
        if ((solver == "auto") != (nodes_are_given || row.name == "hop-bytes")) continue;
        const Score score = solve({traffic, machine, row}, solver, {1, Effort::fast, {}}).score;
        for (std::size_t i = 0; i < score.values.size(); ++i) EXPECT_LE(bound.values[i], score.values[i]);
      }
    }
  }
}

}  // namespace
}  // namespace corewise
