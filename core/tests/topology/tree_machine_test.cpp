/// Bare trees: arities, distances, merged levels, refused trees.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "topology/shapes.hpp"

namespace corewise::testing {
namespace {

using ::testing::HasSubstr;

Machine tree(const std::vector<std::int32_t>& arities, const std::vector<std::uint32_t>& distances = {}) {
  return make_tree_machine(arities, distances);
}

TEST(TreeMachine, HasNeitherOsIndicesNorFigures) {
  const Machine machine = tree({2, 2});
  EXPECT_FALSE(machine.has_os_indices());
  EXPECT_FALSE(machine.has_figures());
  EXPECT_EQ(machine.levels()[0].link.source, "none");
  EXPECT_EQ(tree({4, 8, 32}, {1, 10, 100}).name(), "tree:4:8:32@1:10:100");
  const Machine leaf = tree({1});
  EXPECT_EQ(leaf.n_cores(), 1);
  EXPECT_EQ(leaf.n_levels(), 0);
}

TEST(TreeMachine, KeepsTheDistancesOfItsOwnLevelsWhereOneIsFolded) {
  // The level of arity 1 is merged, but the leaves of different groups keep the distance of level 3.
  const Machine counted = tree({2, 1, 2});
  EXPECT_EQ(counted.n_levels(), 2);
  EXPECT_EQ(counted.distance(CoreIndex{0}, CoreIndex{1}), 1u);
  EXPECT_EQ(counted.distance(CoreIndex{0}, CoreIndex{2}), 3u);
  EXPECT_EQ(tree({2, 1, 2}, {1, 10, 100}).distance(CoreIndex{1}, CoreIndex{2}), 100u);
}

TEST(TreeMachine, RefusesBadAritiesAndDistances) {
  const auto message = [](const std::vector<std::int32_t>& arities,
                          const std::vector<std::uint32_t>& distances) {
    return refusal_of([&] { (void)tree(arities, distances); });
  };
  EXPECT_THAT(message({}, {}), HasSubstr("without levels"));
  EXPECT_THAT(message({4, 0}, {}), HasSubstr("0 children"));
  EXPECT_THAT(message({-4}, {}), HasSubstr("-4 children"));
  EXPECT_THAT(message({4, 8}, {0, 1}), HasSubstr("distance 0 after 0"));
  EXPECT_THAT(message({4, 1, 8}, {5, 1, 9}),
              HasSubstr("distance 1 after 5"));  // even if the level is merged
}

}  // namespace
}  // namespace corewise::testing
