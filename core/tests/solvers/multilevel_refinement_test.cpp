/// Multilevel refinement: swaps of whole groups, and regions that are refined independently.
#include "solvers/search/multilevel_refinement.hpp"

#include <gtest/gtest.h>

#include "search_cases.hpp"

namespace corewise::search {
namespace {

using namespace corewise::testing;

TEST(MultilevelRefinement, SwapsWholeGroupsWhereNoSwapOfTwoRanksHelps) {
  // The pairs 0-1, 2-3, 4-5, 6-7 exchange 100 bytes each. One byte goes from 0-1 to 4-5, and one from 2-3 to
  // 6-7. On nodes with two pairs each, the second and third pair must swap.
  const SlotTree tree = slot_tree({2, 2, 2});
  const Graph graph =
      graph_of(traffic_of(8, {{0, 1, 100}, {2, 3, 100}, {4, 5, 100}, {6, 7, 100}, {0, 4, 1}, {2, 6, 1}}), 8);
  const HopModel model{graph, tree};
  Random random(1);
  WorkMeter work(std::nullopt);
  const SlotOfVertex found = refine_groups(model, identity_mapping(8), {200, 20}, random, work);
  EXPECT_EQ(hop_bytes(model, identity_mapping(8)), 400 + 200);
  EXPECT_EQ(hop_bytes(model, found), 400 + 20);
}

TEST(MultilevelRefinement, GivesABetterPermutationThatIsTheSameOnAnyNumberOfThreads) {
  Random random(3);
  const SlotTree tree = slot_tree({6, 10, 150});
  const Graph graph = graph_of(random_messages(9000, 40'000, random), 9000);
  const HopModel model{graph, tree};
  const auto found = [&](int threads) {
    Random own(5);
    WorkMeter work(std::nullopt);
    const MultilevelOptions options{4, 5, threads};
    return refine_regions(model, refine_groups(model, identity_mapping(9000), options, own, work), options,
                          own, work);
  };
  const SlotOfVertex alone = found(1);
  EXPECT_EQ(found(3), alone);
  EXPECT_LT(hop_bytes(model, alone), hop_bytes(model, identity_mapping(9000)));
  EXPECT_TRUE(is_permutation(alone));
}

}  // namespace
}  // namespace corewise::search
