/// Box tilings of grids: cheapest cuts, stepped planes, grids without a tiling.
#include "solvers/patterns/box_tiling.hpp"

#include <gtest/gtest.h>

#include "search_cases.hpp"

namespace corewise::patterns {
namespace {

using namespace corewise::testing;

/// A grid of ranks, numbered row by row, with `weight` bytes between neighbours along each axis.
Traffic weighted_grid(const Box& side, const std::array<std::uint64_t, 3>& weight) {
  std::vector<Message> messages;
  std::int32_t stride = 1;
  const std::int32_t n = side[0] * side[1] * side[2];
  for (int axis = 2; axis >= 0; stride *= side[axis--]) {
    for (std::int32_t rank = 0; rank < n; ++rank) {
      if (rank / stride % side[axis] + 1 < side[axis])
        messages.push_back({rank, rank + stride, weight[axis]});
    }
  }
  return traffic_of(n, messages);
}

/// The hop-bytes of the tiling of a grid, as detected from its traffic; -1 if there is no tiling.
Cost tiled(const Box& side, const std::array<std::uint64_t, 3>& weight,
           const std::vector<std::int32_t>& arities, const std::vector<std::uint32_t>& distances) {
  const SlotTree tree(make_tree_machine(arities, distances), {});
  const Graph graph = graph_of(weighted_grid(side, weight), tree.n_slots());
  WorkMeter work(std::nullopt);
  auto slot_of = box_tiling(tree, *detect_grid(graph), work);
  if (!slot_of) return -1;
  EXPECT_TRUE(is_permutation(*slot_of));
  return search::hop_bytes({graph, tree}, *slot_of);
}

TEST(BoxTiling, CutsWhatTheBestBoxesCut) {
  // 8 x 8 on 4 nodes of 4 groups of 4: nodes of 4 x 4 cut 16 edges, groups of 2 x 2 cut 8 in each node.
  EXPECT_EQ(tiled({1, 8, 8}, {1, 1, 1}, {4, 4, 4}, {1, 10, 100}), 16 * 100 + 32 * 10 + 64);
  // A 7 x 6 grid with 71 edges on 7 nodes of 6. With one shape, 7 rows of 6, 36 edges are cut. With two
  // shapes: four boxes of 2 x 3 tile a 4 x 6 part (6 + 4 edges cut), three boxes of 3 x 2 a 3 x 6 part (6
  // edges cut), and 6 edges are between the two parts.
  EXPECT_EQ(tiled({1, 7, 6}, {1, 1, 1}, {6, 7}, {1, 10}), (10 + 6 + 6) * 10 + (71 - 22));
  // 4 x 4 on 4 nodes of 4: columns cut 12 edges of 1 byte. Squares would cut 4 edges of 10 bytes and 4 of 1.
  EXPECT_EQ(tiled({1, 4, 4}, {1, 10, 1}, {4, 4}, {1, 10}), 12 * 10 + 12 * 10);
  // 2 x 3 on 2 nodes of 3. The plane between the rows cuts three edges of 10. No plane divides the columns
  // evenly, but a stepped plane does, and cuts one edge of 10 and two of 1.
  EXPECT_EQ(tiled({1, 2, 3}, {1, 10, 1}, {3, 2}, {1, 100}), (10 + 2) * 100 + (20 + 2));
  // 4 x 4 x 4 on 8 nodes of 8: cubes of 2 x 2 x 2. Each of the three middle planes cuts 16 of 144 edges.
  EXPECT_EQ(tiled({4, 4, 4}, {1, 1, 1}, {8, 8}, {1, 10}), 48 * 10 + 96);
  // No tiling: very long sides.
  EXPECT_EQ(tiled({1, 5000, 2}, {1, 1, 1}, {10, 1000}, {1, 10}), -1);
}

TEST(BoxTiling, IsNotThereForGroupsOfDifferentSizes) {
  const SlotTree tree(machine_of({two_level_node({2, 2}), two_level_node({2, 4})}), {});
  const Graph graph = graph_of(weighted_grid({1, 5, 2}, {1, 1, 1}), tree.n_slots());
  WorkMeter work(std::nullopt);
  EXPECT_FALSE(box_tiling(tree, *detect_grid(graph), work));
}

}  // namespace
}  // namespace corewise::patterns
