/// Mappings of grids: detection of the shape, orders by bisection and along strips.
#include "solvers/patterns/grid_mappings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "search_cases.hpp"
#include "solvers/patterns/grid.hpp"

namespace corewise::patterns {
namespace {

using namespace corewise::testing;
using search::hop_bytes;
using ::testing::ElementsAre;

struct Axis {
  std::uint64_t bytes;  ///< between neighbours
  std::int32_t side;
  bool ring;
};

/// Messages between neighbours of a grid whose ranks are numbered row by row, the slowest axis first. A ring
/// of two has only one pair.
std::vector<Message> grid_messages(const std::vector<Axis>& axes) {
  std::int32_t n = 1;
  for (const Axis& axis : axes) n *= axis.side;
  std::vector<Message> messages;
  std::int32_t stride = n;
  for (const Axis& axis : axes) {
    stride /= axis.side;
    for (std::int32_t rank = 0; rank < n; ++rank) {
      const bool last = rank / stride % axis.side == axis.side - 1;
      if (last && (!axis.ring || axis.side == 2)) continue;
      messages.push_back({rank, last ? rank - stride * (axis.side - 1) : rank + stride, axis.bytes});
    }
  }
  return messages;
}

std::vector<std::int32_t> sides_of(std::int32_t n_ranks, const std::vector<Message>& messages) {
  const auto grid = find_grid(graph_of(traffic_of(n_ranks, messages), n_ranks));
  std::vector<std::int32_t> sides;
  if (grid) {
    for (const GridAxis& axis : grid->axes) sides.push_back(axis.side);
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
  for (const Message& m : grid_messages(std::vector<Axis>(5, {3, 2, false}))) {
    if (m.dst < 22) cube.push_back(m);  // ranks beyond 21 are not there
  }
  EXPECT_THAT(sides_of(22, cube), ElementsAre(2, 2, 2, 2, 2));
}

TEST(FindGrid, ToleratesOtherPairsAndFindsNothingInOthersAlone) {
  std::vector<Message> messages = grid_messages({{9, 6, true}, {9, 8, false}});
  for (std::int32_t rank = 1; rank < 48; ++rank) messages.push_back({rank, 0, 2});  // a gather
  EXPECT_THAT(sides_of(48, messages), ElementsAre(6, 8));
  Random random(7);
  EXPECT_THAT(sides_of(48, {}), ElementsAre());
  const auto other = find_grid(graph_of(random_messages(48, 400, random), 48));
  EXPECT_FALSE(other);
}

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
