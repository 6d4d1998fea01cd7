/// Densest groups of grids, tori, hypercubes and trees: compared with all subsets and partitions of small
/// graphs, and proofs for large graphs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>

#include "grid_cases.hpp"
#include "random_cases.hpp"
#include "solvers/patterns/forest.hpp"
#include "solvers/patterns/grid.hpp"
#include "solvers/patterns/grid_bound.hpp"
#include "text.hpp"

namespace corewise {
namespace {

using namespace corewise::testing;
using patterns::GridSide;
using ::testing::ElementsAre;

/// [s]: greatest weight inside a set of s ranks, by enumeration of all sets.
std::vector<Cost> by_enumeration(std::int32_t n, const std::vector<Message>& messages) {
  std::vector<Cost> most(n + 1, 0);
  for (std::uint32_t set = 0; set < 1u << n; ++set) {
    Cost inside = 0;
    for (const Message& m : messages) {
      if ((set >> m.src & set >> m.dst & 1) != 0) inside += static_cast<Cost>(m.bytes);
    }
    most[std::popcount(set)] = std::max(most[std::popcount(set)], inside);
  }
  return most;
}

/// Expects that the bound exceeds the exact value by at most `slack`.
void expect_most_inside(const std::vector<GridSide>& axes, Cost slack) {
  const std::vector<Cost> exact = by_enumeration(volume(axes), grid_messages(axes));
  const std::vector<Cost> bound = patterns::most_inside_grid(axes, volume(axes));
  ASSERT_EQ(bound.size(), exact.size());
  for (std::size_t s = 0; s < exact.size(); ++s) {
    EXPECT_GE(bound[s], exact[s]) << s << " of " << ::testing::PrintToString(exact);
    EXPECT_LE(bound[s], exact[s] + slack) << s << " of " << ::testing::PrintToString(exact);
  }
}

std::string name_of(const std::vector<GridSide>& axes) {
  std::string name;
  for (const auto& [weight, side, ring] : axes) name += concat(side, ring ? "o of " : " of ", weight, "; ");
  return name;
}

TEST(MostInsideGrid, OfAPathAndARing) {
  EXPECT_THAT(patterns::most_inside_grid({{5, 4, false}}, 9), ElementsAre(0, 0, 5, 10, 15));
  EXPECT_THAT(patterns::most_inside_grid({{5, 4, true}}, 9), ElementsAre(0, 0, 5, 10, 20));
  EXPECT_THAT(patterns::most_inside_grid({{5, 400, true}}, 3), ElementsAre(0, 0, 5, 10));
}

TEST(MostInsideGrid, IsExactForSmallGridsTheirWeightsAndHypercubes) {
  expect_most_inside({{1, 3, false}, {1, 3, false}}, 0);
  expect_most_inside({{1, 2, false}, {1, 2, false}, {1, 3, false}}, 0);
  expect_most_inside({{1, 4, false}, {1, 4, false}}, 0);
  expect_most_inside({{7, 3, false}, {3, 5, false}}, 0);
  expect_most_inside({{1, 7, true}}, 0);
  expect_most_inside({{1, 2, false}, {1, 2, false}, {1, 2, false}, {1, 2, false}}, 0);
  expect_most_inside({{8, 2, false}, {1, 2, false}, {4, 2, false}, {2, 2, false}}, 0);
}

TEST(MostInsideGrid, IsAtLeastWhatAnySetHoldsWhateverTheWeightsAndRings) {
  Random random(5);
  for (int sample = 0; sample < 60; ++sample) {
    std::vector<GridSide> axes;
    std::int32_t n = 1;
    while (axes.size() < 4) {
      const auto side = static_cast<std::int32_t>(2 + random.below(4));
      if (n * side > 16) break;
      n *= side;
      axes.push_back({static_cast<Cost>(1 + random.below(9)), side, side > 2 && random.below(2) == 0});
    }
    SCOPED_TRACE(name_of(axes));
    Cost heaviest = 0;
    for (const GridSide& axis : axes) heaviest = std::max(heaviest, axis.weight);
    expect_most_inside(axes, 2 * heaviest);
  }
}

TEST(MostInsideStencil, IsAtLeastWhatAnySetHoldsAndExactForCubes) {
  const std::vector<std::vector<patterns::StencilSide>> stencils{{{4, 4}, {4, 4}},
                                                                 {{7, 3}, {2, 5}},
                                                                 {{9, 2}, {3, 8}},
                                                                 {{4, 2}, {4, 3}, {4, 2}},
                                                                 {{6, 4}, {2, 2}, {3, 2}}};
  for (const auto& axes : stencils) {
    const std::int32_t n = volume(axes);
    const std::vector<Cost> exact = by_enumeration(n, stencil_messages(axes));
    const std::vector<Cost> bound = patterns::most_inside_stencil(axes, n);
    ASSERT_EQ(bound.size(), exact.size());
    for (std::int32_t s = 0; s <= n; ++s) EXPECT_GE(bound[s], exact[s]) << s << " of " << n;
    EXPECT_EQ(bound[n], exact[n]);
  }
  // 2 x 2 x 2 boxes have 12 contacts at faces of 16, 12 at edges of 4, and 4 at corners of 1.
  EXPECT_EQ(patterns::most_inside_stencil({{4, 5}, {4, 5}, {4, 5}}, 8).back(), 12 * 16 + 12 * 4 + 4);
}

TEST(MostInsideGroups, LeavesPlacesFreeWhereThatIsWorthMost) {
  // s ranks of a path have s - 1 pairs. 7 ranks fill groups of 4 and 3: 3 + 2 pairs; 6 ranks have 4.
  const std::vector<Cost> path{0, 0, 1, 2, 3};
  EXPECT_EQ(patterns::most_inside_groups(path, std::vector<std::int64_t>{4, 3}, 7), 5);
  EXPECT_EQ(patterns::most_inside_groups(path, std::vector<std::int64_t>{4, 3}, 6), 4);
  // 9 ranks in groups of 4 need three groups. Large cases are bounded by a Lagrangian relaxation.
  EXPECT_EQ(patterns::most_inside_groups(path, std::vector<std::int64_t>{4, 4, 4}, 9), 6);
  EXPECT_EQ(patterns::most_inside_groups(path, std::vector<std::int64_t>(1000, 4), 3998), 2998);
}

TEST(Forest, CutsLeastForPartsOfASize) {
  Random random(6);
  for (int sample = 0; sample < 200; ++sample) {
    const auto n = static_cast<std::int32_t>(1 + random.below(9));
    std::vector<patterns::ForestPair> pairs;
    for (std::int32_t b = 1; b < n; ++b) {
      if (random.below(8) == 0) continue;  // another root
      pairs.push_back({static_cast<std::int32_t>(random.below(b)), b, static_cast<Cost>(random.below(9))});
    }
    const auto forest = patterns::Forest::from_pairs(n, pairs);
    ASSERT_TRUE(forest);
    std::vector<Cost> least_of_size(n + 1, 1000);
    std::vector<Cost> least_of_parts(n + 1, 1000);
    for (std::uint32_t cut = 0; cut < 1u << pairs.size(); ++cut) {
      std::vector<std::int32_t> part(n);
      std::iota(part.begin(), part.end(), 0);
      Cost weight = 0;
      for (std::size_t i = 0; i < pairs.size(); ++i) {
        if ((cut >> i & 1) != 0) {
          weight += pairs[i].weight;
        } else {
          std::ranges::replace(part, part[pairs[i].b], part[pairs[i].a]);
        }
      }
      std::ranges::sort(part);
      std::ptrdiff_t largest = 0;
      for (const std::int32_t p : part) largest = std::max(largest, std::ranges::count(part, p));
      const auto n_parts = n - static_cast<std::int32_t>(pairs.size()) + std::popcount(cut);
      for (std::ptrdiff_t most = largest; most <= n; ++most) {
        least_of_size[most] = std::min(least_of_size[most], weight);
      }
      for (std::int32_t k = 1; k <= n_parts; ++k) least_of_parts[k] = std::min(least_of_parts[k], weight);
    }
    for (std::int32_t k = 1; k <= n; ++k) {
      EXPECT_EQ(forest->least_cut(k), least_of_size[k]) << k << " of sample " << sample;
      EXPECT_EQ(forest->least_between(k), least_of_parts[k]) << k << " of sample " << sample;
    }
  }
}

TEST(Forest, HasNoCycle) {
  EXPECT_FALSE(patterns::Forest::from_pairs(3, {{0, 1, 1}, {1, 2, 1}, {0, 2, 1}}));
  EXPECT_FALSE(patterns::Forest::from_pairs(4, {{0, 1, 1}, {1, 2, 1}, {0, 2, 1}}));
}

std::vector<std::int32_t> sides_of(std::int32_t n_ranks, const std::vector<Message>& messages) {
  const auto grid = patterns::find_grid(PairGraph(matrix_of(n_ranks, messages)));
  std::vector<std::int32_t> sides;
  if (grid) {
    for (const patterns::GridAxis& axis : grid->axes) sides.push_back(axis.side);
  }
  return sides;
}

TEST(FindGrid, TellsGridsToriAndHypercubesFromTheirTraffic) {
  EXPECT_THAT(sides_of(30, grid_messages({{1, 6, false}, {1, 5, false}})), ElementsAre(6, 5));
  EXPECT_THAT(sides_of(60, grid_messages({{4, 5, true}, {1, 3, true}, {2, 4, true}})), ElementsAre(5, 3, 4));
  EXPECT_THAT(sides_of(30, grid_messages({{1, 30, true}})), ElementsAre(30));
  EXPECT_THAT(
      sides_of(2 * 3 * 4 * 5, grid_messages({{1, 2, true}, {1, 3, true}, {1, 4, true}, {1, 5, true}})),
      ElementsAre(2, 3, 4, 5));
  std::vector<Message> cube;
  for (const Message& m : grid_messages(std::vector<GridSide>(5, {3, 2, false}))) {
    if (m.dst < 22) cube.push_back(m);  // ranks beyond 21 are not there
  }
  EXPECT_THAT(sides_of(22, cube), ElementsAre(2, 2, 2, 2, 2));
}

TEST(FindGrid, ToleratesOtherPairsAndFindsNothingInOthersAlone) {
  std::vector<Message> messages = grid_messages({{9, 6, true}, {9, 8, false}});
  for (std::int32_t rank = 1; rank < 48; ++rank) messages.push_back({rank, 0, 2});  // a gather
  EXPECT_THAT(sides_of(48, messages), ElementsAre(6, 8));
  Random random(7);
  messages.clear();
  for (int i = 0; i < 400; ++i) {
    messages.push_back(
        {static_cast<std::int32_t>(random.below(48)), static_cast<std::int32_t>(random.below(48)), 1});
  }
  EXPECT_THAT(sides_of(48, messages), ElementsAre());
  EXPECT_THAT(sides_of(48, {}), ElementsAre());
}

}  // namespace
}  // namespace corewise
