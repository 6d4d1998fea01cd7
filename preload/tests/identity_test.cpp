/// Ids of communicators: the same in all members, and different for each communicator.
#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <vector>

extern "C" {
#include "../pmpi/comm_identity.h"
}

namespace corewise {
namespace {

std::uint64_t hash(const std::vector<std::int32_t>& members) {
  return cw_members_hash(members.data(), static_cast<std::uint32_t>(members.size()));
}

TEST(CommIdentity, DependsOnTheParentTheOrderAndTheMembers) {
  // MPI_COMM_WORLD of 4 ranks: two duplicates, then split into even and odd; a duplicate of a duplicate.
  const std::uint64_t all = hash({0, 1, 2, 3});
  const std::uint64_t first = cw_comm_id(CW_COMM_WORLD_ID, 0, all);
  const std::set<std::uint64_t> ids = {CW_COMM_WORLD_ID,
                                       first,
                                       cw_comm_id(CW_COMM_WORLD_ID, 1, all),
                                       cw_comm_id(CW_COMM_WORLD_ID, 2, hash({0, 2})),
                                       cw_comm_id(CW_COMM_WORLD_ID, 2, hash({1, 3})),
                                       cw_comm_id(first, 0, all)};
  EXPECT_EQ(ids.size(), 6u);
  EXPECT_EQ(ids.count(0), 0u);
}

TEST(CommIdentity, TellsMembersInAnotherOrderApart) { EXPECT_NE(hash({0, 1}), hash({1, 0})); }

TEST(CommIdentity, OfAnInterCommunicatorIsTheSameOnBothSides) {
  const std::uint64_t left = hash({0, 1});
  const std::uint64_t right = hash({2, 3});
  EXPECT_EQ(cw_sides_hash(left, right), cw_sides_hash(right, left));
  EXPECT_NE(cw_sides_hash(left, right), cw_sides_hash(left, hash({2})));
}

TEST(CommIdentity, CountsWhatTheSameMembersMakeAgain) {
  EXPECT_EQ(cw_count_occurrence(77), 0u);
  EXPECT_EQ(cw_count_occurrence(77), 1u);
  EXPECT_EQ(cw_count_occurrence(78), 0u);
  // More keys than there is room for: those that are known go on.
  for (std::uint64_t key = 1000; key < 20000; ++key) (void)cw_count_occurrence(key);
  EXPECT_EQ(cw_count_occurrence(77), 2u);
  EXPECT_EQ(cw_count_occurrence(1000), 1u);
  EXPECT_EQ(cw_count_occurrence(19999), 0u);
}

}  // namespace
}  // namespace corewise
