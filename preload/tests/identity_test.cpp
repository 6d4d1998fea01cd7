/// Ids of communicators: equal on all members, and different for each communicator.
#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <vector>

extern "C" {
#include "../pmpi/comms/comm_identity.h"
}

namespace corewise {
namespace {

std::uint64_t hash(const std::vector<std::int32_t>& members) {
  return cw_members_hash(members.data(), static_cast<std::uint32_t>(members.size()));
}

TEST(CommIdentity, DependsOnTheParentTheOrderAndTheMembers) {
  // MPI_COMM_WORLD with 4 ranks, two duplicates, a split into even and odd ranks, a duplicate of a duplicate.
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

TEST(CommIdentity, TakesTextsOfFortranForThoseOfC) {
  EXPECT_EQ(cw_text_hash("ring", 4), cw_text_hash("ring  ", 6));
  EXPECT_NE(cw_text_hash("ring", 4), cw_text_hash("rind", 4));
  EXPECT_EQ(cw_text_hash("", 0), cw_text_hash("  ", 2));
}

TEST(CommIdentity, CountsWhatTheSameMembersMakeAgain) {
  EXPECT_EQ(cw_count_occurrence(77), 0u);
  EXPECT_EQ(cw_count_occurrence(77), 1u);
  EXPECT_EQ(cw_count_occurrence(78), 0u);
  // The number of keys must not be limited: members that count differently would compute different ids.
  for (std::uint64_t key = 1000; key < 20000; ++key) EXPECT_EQ(cw_count_occurrence(key), 0u);
  EXPECT_EQ(cw_count_occurrence(77), 2u);
  EXPECT_EQ(cw_count_occurrence(1000), 1u);
  EXPECT_EQ(cw_count_occurrence(19999), 1u);
}

TEST(CommIdentity, ListsTheFirstOfALoopWhateverTheLoopMakes) {
  // 20,000 duplicates of MPI_COMM_WORLD, and a chain in which each is a duplicate of the one before.
  int of_world = 0, of_each_other = 0;
  std::uint32_t place = 0;
  for (std::uint64_t i = 0; i < 20000; ++i) {
    of_world += cw_comm_place(0, i) <= CW_LISTED_COMMS ? 1 : 0;
    place = cw_comm_place(place, 0);
    of_each_other += place <= CW_LISTED_COMMS ? 1 : 0;
  }
  EXPECT_EQ(of_world, CW_LISTED_COMMS);
  EXPECT_EQ(of_each_other, CW_LISTED_COMMS);
  EXPECT_GT(cw_comm_place(CW_LISTED_COMMS, UINT64_MAX), static_cast<std::uint32_t>(CW_LISTED_COMMS));
}

}  // namespace
}  // namespace corewise
