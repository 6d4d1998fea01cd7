/// The search for hop-bytes: independent of the number of threads, and ends at a proven optimum.
#include "solvers/search/hop_search.hpp"

#include <gtest/gtest.h>

#include "search_cases.hpp"

namespace corewise::search {
namespace {

using namespace corewise::testing;

TEST(HopSearch, IsTheSameOnAnyNumberOfThreads) {
  Random random(3);
  const SlotTree tree(draco(8), {});
  const Graph graph = graph_of(random_messages(60, 240, random), tree.n_slots());
  for (const int sign : {1, -1}) {
    const HopProblem problem{{graph, tree, sign}, identity_mapping(64)};
    const auto found = [&](int threads) {
      WorkMeter work(std::nullopt);
      return optimise_hop_bytes(problem, {7, Effort::standard, {}, threads}, work);
    };
    const SlotOfVertex alone = found(1);
    EXPECT_EQ(found(2), alone);
    EXPECT_EQ(found(5), alone);
  }
}

TEST(HopSearch, ReturnsTheInitialMappingWhereAllMappingsCostTheSame) {
  const SlotTree tree = slot_tree({6});
  const Graph graph = graph_of(ring(6), 6);
  const SlotOfVertex initial{5, 4, 3, 2, 1, 0};
  WorkMeter work(std::nullopt);
  EXPECT_EQ(optimise_hop_bytes({{graph, tree}, initial}, {}, work), initial);
}

}  // namespace
}  // namespace corewise::search
