/// Profiles of jobs with spawned processes: the ranks of several MPI_COMM_WORLDs are numbered consecutively.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "corewise/events.hpp"
#include "corewise/profile.hpp"
#include "profile_builder.hpp"
#include "profile_folder.hpp"

namespace corewise {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::uint64_t kWorldComm = 1, kMembers = 77;  // ids, equal in every MPI_COMM_WORLD of two ranks

using Pair = std::array<std::uint64_t, 3>;  // src, dst, bytes

class ProfileWorlds : public ProfileFolder {
 protected:
  /// Two ranks: a message of `n_bytes` from rank 1 to rank 0, and a broadcast of `n_bytes` from rank 0.
  static HandMadeFile two_ranks(std::uint64_t n_bytes) {
    HandMadeFile file = file_of(2);
    file.group(kMembers, {{0, 1, 2}}).comm(kWorldComm, kMembers, 0, "MPI_COMM_WORLD");
    file.rows(0, {test_row(kBcast, 0, 4, kCollective, 1, n_bytes, kWorldComm)});
    file.rows(1, {test_row(kSend, 0, 4, kMessage, 1, n_bytes, kWorldComm),
                  test_row(kBcast, 0, 4, kCollective, 1, n_bytes, kWorldComm)});
    return file;
  }
};

TEST_F(ProfileWorlds, HaveTheirRanksOneAfterTheOtherThoseOfTheLauncherFirst) {
  two_ranks(10).world("b").write(directory_, "a.cwprof");
  two_ranks(9).world("a").write(directory_, "b.cwprof");
  two_ranks(8).write(directory_, "c.cwprof");
  const Profile profile = Profile::read(directory_);
  EXPECT_THAT(profile.faults(), IsEmpty());
  EXPECT_TRUE(profile.complete());
  ASSERT_EQ(profile.worlds().size(), 3u);
  EXPECT_EQ(profile.worlds()[2].first, Rank{4});
  EXPECT_EQ(profile.worlds()[2].n_ranks, 2);
  EXPECT_EQ(profile.n_ranks(), 6);
  const CommMatrix p2p = profile.traffic(Layer::p2p, 0).folded();
  EXPECT_THAT(pairs_of(p2p), ElementsAre(Pair{1, 0, 8}, Pair{3, 2, 9}, Pair{5, 4, 10}));
}

TEST_F(ProfileWorlds, OnOneNodeDoNotShareCommunicatorsThoughTheirIdsAreEqual) {
  two_ranks(8).write(directory_, "a.cwprof");
  two_ranks(9).world("w").write(directory_, "b.cwprof");
  const Profile profile = Profile::read(directory_);
  EXPECT_EQ(profile.nodes().size(), 1u);
  EXPECT_EQ(profile.ranks()[3].node, 0);
  ASSERT_EQ(profile.comms().size(), 2u);
  EXPECT_THAT(profile.comms()[0].members, ElementsAre(Rank{0}, Rank{1}));
  EXPECT_THAT(profile.comms()[1].members, ElementsAre(Rank{2}, Rank{3}));
  const CommMatrix coll = profile.traffic(Layer::coll, 0).folded();
  EXPECT_THAT(pairs_of(coll), ElementsAre(Pair{0, 1, 8}, Pair{2, 3, 9}));
}

TEST_F(ProfileWorlds, OfOneNameWithDifferentNumbersOfRanksAreRefused) {
  two_ranks(8).world("w").write(directory_, "a.cwprof");
  HandMadeFile(3).rank(2).world("w").write(directory_, "b.cwprof");
  EXPECT_THAT(why_refused(), HasSubstr("expected the files of one job"));
}

TEST_F(ProfileWorlds, HaveNoCommonEvents) {
  two_ranks(8).write(directory_, "a.cwprof");
  two_ranks(9).world("w").write(directory_, "b.cwprof");
  EXPECT_THAT(refusal_of([&] { (void)read_events(directory_); }),
              HasSubstr("expected those of one MPI_COMM_WORLD alone"));
}

}  // namespace
}  // namespace corewise
