/// Equal subtrees of small trees.
#include "corewise/equal_subtrees.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "corewise/error.hpp"

namespace corewise {
namespace {

using ::testing::ElementsAre;

// Leaves 0-3, packages 4 (0, 1) and 5 (2, 3), node 6. Leaves 1 and 2 (s) have another mark.
//        6
//     4     5
//    0 1s  2s 3
const std::vector<std::int32_t> kParent{4, 4, 5, 5, 6, 6, -1};
const std::vector<std::int64_t> kMark{0, 1, 1, 0, 0, 0, 0};

TEST(EqualSubtrees, ChildrenInAnotherOrderAreEqualUnlessTheOrderIsKept) {
  EXPECT_THAT(equal_subtrees(kParent, kMark), ElementsAre(0, 1, 1, 0, 2, 2, 3));
  EXPECT_THAT(equal_subtrees(kParent, kMark, ChildOrder::kept), ElementsAre(0, 1, 1, 0, 2, 3, 4));
}

TEST(EqualSubtrees, MarksOfObjectsTellThemApart) {
  EXPECT_THAT(equal_subtrees(kParent, std::vector<std::int64_t>{0, 0, 0, 0, 0, 7, 0}),
              ElementsAre(0, 0, 0, 0, 1, 2, 3));
}

TEST(EqualSubtrees, VerticesLeftOutDontCount) {
  // Without leaf 3, package 5 has one leaf, package 4 two: they differ. Without leaf 1, too, they are equal.
  EXPECT_THAT(equal_subtrees(kParent, std::vector<std::int64_t>{0, 0, 0, -1, 0, 0, 0}),
              ElementsAre(0, 0, 0, -1, 1, 2, 3));
  EXPECT_THAT(equal_subtrees(kParent, std::vector<std::int64_t>{0, -1, 0, -1, 0, 0, 0}),
              ElementsAre(0, -1, 0, -1, 1, 1, 2));
}

TEST(EqualSubtrees, AParentBeforeItsChildIsRefused) {
  const std::vector<std::int64_t> marks{0, 0};
  EXPECT_THROW((void)equal_subtrees(std::vector<std::int32_t>{-1, 0}, marks), Error);
  EXPECT_THROW((void)equal_subtrees(std::vector<std::int32_t>{2, -1}, marks), Error);
  EXPECT_THROW((void)equal_subtrees(std::vector<std::int32_t>{-1}, marks), Error);
}

}  // namespace
}  // namespace corewise
