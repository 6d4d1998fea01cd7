/// Constructions of initial mappings: bisection and multisection.
#include <gtest/gtest.h>

#include <algorithm>

#include "search_cases.hpp"
#include "solvers/search/construction/bisect.hpp"
#include "solvers/search/construction/multisection.hpp"

namespace corewise::search {
namespace {

using namespace corewise::testing;

TEST(Bisect, GivesExactlyTheSizeAskedFor) {
  Random random(7);
  WorkMeter work(std::nullopt);
  for (int sample = 0; sample < 40; ++sample) {
    const auto n = static_cast<std::int32_t>(2 + random.below(300));
    const auto n_messages = static_cast<std::int32_t>(random.below(900));
    const Graph graph = graph_of(random_messages(n, n_messages, random), n);
    const auto n_first = static_cast<std::int32_t>(random.below(static_cast<std::uint32_t>(n) + 1));
    EXPECT_EQ(std::ranges::count(bisect(graph, n_first, random, work).part, 0), n_first);
  }
}

TEST(Bisect, CutsALongGridAcross) {
  // A 4 x 32 grid: the best cut into halves crosses four edges.
  Random random(8);
  WorkMeter work(std::nullopt);
  const Graph graph = graph_of(grid(32, 4), 128);
  const Bisection found = bisect(graph, 64, random, work);
  Cost cut = 0;
  for (std::int32_t v = 0; v < 128; ++v) {
    for (const Edge& edge : graph.row(v)) cut += edge.to > v && found.part[v] != found.part[edge.to];
  }
  EXPECT_EQ(cut, 4);
  EXPECT_EQ(found.cut, cut);
}

TEST(Multisection, IsAPermutationOnUnevenGroups) {
  Random random(9);
  WorkMeter work(std::nullopt);
  const Machine machine =
      machine_of({two_level_node({3, 5}), two_level_node({1}), two_level_node({2, 2, 7})});
  const SlotTree tree(machine, {});
  const Graph graph = graph_of(random_messages(17, 60, random), tree.n_slots());
  EXPECT_TRUE(is_permutation(multisection(graph, tree, random, work)));
}

TEST(Multisection, IsTheSameOnAnyNumberOfThreads) {
  // With this number of vertices, the halves are mapped in parallel.
  Random messages(3);
  const SlotTree tree = slot_tree({100, 168});
  const Graph graph = graph_of(random_messages(16'500, 66'000, messages), tree.n_slots());
  const auto found = [&](int threads) {
    Random random(7);
    WorkMeter work(std::nullopt);
    return multisection(graph, tree, random, work, {1, threads});
  };
  const SlotOfVertex alone = found(1);
  EXPECT_EQ(found(3), alone);
  EXPECT_TRUE(is_permutation(alone));
}

TEST(Multisection, InsideAGroupKeepsItsVerticesThere) {
  Random random(4);
  WorkMeter work(std::nullopt);
  const SlotTree tree = slot_tree({3, 2, 4});
  const Graph graph = graph_of(random_messages(20, 80, random), tree.n_slots());
  SlotOfVertex slot_of = identity_mapping(24);
  random.shuffle(std::span(slot_of));
  const SlotOfVertex found = multisection_inside(graph, tree, slot_of, 2, random, work);
  EXPECT_TRUE(is_permutation(found));
  for (std::int32_t v = 0; v < 24; ++v) EXPECT_EQ(tree.group(2, found[v]), tree.group(2, slot_of[v]));
}

}  // namespace
}  // namespace corewise::search
