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

TEST(HopSearch, EndsAtAMappingThatIsKnownToBeOptimal) {
  // Squares of 4 x 4 divided into squares of 2 x 2: 16 edges at distance 100, 32 at 10, 64 at 1.
  const Cost least = 16 * 100 + 32 * 10 + 64;
  const SlotTree tree = slot_tree({4, 4, 4});
  const Graph graph = graph_of(grid(8, 8), 64);
  HopProblem problem{{graph, tree}, identity_mapping(64)};
  WorkMeter all_work(std::nullopt), work(std::nullopt);
  (void)optimise_hop_bytes(problem, {}, all_work);
  problem.is_optimal = [&](const SlotOfVertex& slot_of) {
    return hop_bytes(problem.model, slot_of) <= least;
  };
  EXPECT_EQ(hop_bytes(problem.model, optimise_hop_bytes(problem, {}, work)), least);
  EXPECT_LT(work.steps(), all_work.steps() / 10);  // nothing was annealed
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
