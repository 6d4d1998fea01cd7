/// Mappings of grids: detection of the shape, orders by bisection and along strips.
#include "solvers/patterns/grid_mappings.hpp"

#include <gtest/gtest.h>

#include "search_cases.hpp"

namespace corewise::patterns {
namespace {

using namespace corewise::testing;
using search::hop_bytes;

TEST(DetectGrid, FindsTheShapeInTheTrafficOfNeighbours) {
  const std::optional<GridShape> shape = detect_grid(graph_of(grid(6, 5), 32));
  ASSERT_TRUE(shape);
  EXPECT_EQ(shape->side, (Box{1, 6, 5}));
  EXPECT_FALSE(detect_grid(graph_of(ring(30), 32)));
}

TEST(BisectionOrder, HalvesAGridIntoSquares) {
  // 4 x 4 on 4 nodes of 4: squares of 2 x 2 cut 8 of 24 edges.
  const SlotTree tree = slot_tree({4, 4});
  const Graph graph = graph_of(grid(4, 4), 16);
  EXPECT_EQ(hop_bytes({graph, tree}, bisection_order(tree, *detect_grid(graph))), 8 * 10 + 16);
}

TEST(BisectionOrder, LeavesTheLastSlotsFree) {
  const SlotOfVertex slot_of = bisection_order(slot_tree({4, 4}), {{1, 5, 3}, {0, 12, 10}});
  EXPECT_TRUE(is_permutation(slot_of));
  EXPECT_EQ(slot_of.back(), 15);
}

TEST(BoustrophedonMappings, CutRunsThatAreNearlySquare) {
  WorkMeter work(std::nullopt);
  // 12 x 11 on 11 nodes of 12: rows cut 10 * 12 edges.
  const SlotTree tree = slot_tree({12, 11});
  const Graph graph = graph_of(grid(12, 11), 132);
  const auto orders = boustrophedon_mappings(graph, tree, *detect_grid(graph), 1, work);
  ASSERT_EQ(orders.size(), 1u);
  EXPECT_LT(hop_bytes({graph, tree}, orders.front().slot_of), (120 * 10 + (241 - 120)) * 2 / 3);
}

}  // namespace
}  // namespace corewise::patterns
