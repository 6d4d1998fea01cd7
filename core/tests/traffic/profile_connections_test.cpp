/// Messages between several MPI_COMM_WORLDs, in which each sender has its own numbers for the receivers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "corewise/profile.hpp"
#include "profile_builder.hpp"
#include "profile_folder.hpp"

namespace corewise {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::uint64_t kCall = 99;      // id of a connection
constexpr std::uint64_t kParentsId = 1;  // id of every connection with parents

using Pair = std::array<std::uint64_t, 3>;  // src, dst, bytes

/// Rank 0's record of a side of `n_own` ranks, connected with `n_other` processes from `begin` to `end`.
cw_profile_connection connection(std::uint32_t kind, std::uint32_t n_own, std::uint32_t n_other,
                                 std::int64_t begin, std::int64_t end) {
  cw_profile_connection made{};
  made.id = kind == CW_CONNECTION_SPAWNED ? kParentsId : kCall;
  made.begin_unix_ns = begin;
  made.end_unix_ns = end;
  made.kind = kind;
  made.n_own = n_own;
  made.n_other = n_other;
  made.is_root = 1;
  return made;
}

/// A message of `n_bytes` to process `number` outside the MPI_COMM_WORLD.
cw_profile_row outward(std::int32_t number, std::uint64_t n_bytes) {
  return test_row(kSend, -2 - number, 4, kMessage, 1, n_bytes);
}

class ProfileConnections : public ProfileFolder {
 protected:
  /// A process that was spawned at `begin` and sends `n_bytes` to parent 0.
  void child(const std::string& world, std::int64_t begin, std::uint64_t n_bytes, std::uint64_t spawner = 0) {
    HandMadeFile file(1);
    cw_profile_connection with_parents = connection(CW_CONNECTION_SPAWNED, 1, 1, begin, begin + 50);
    with_parents.spawner = spawner;
    file.rank(0).connection(0, with_parents).rows(0, {outward(0, n_bytes)}).world(world);
    file.write(directory_, world + ".cwprof");
  }

  [[nodiscard]] static std::vector<Pair> pairs(const Profile& profile) {
    return pairs_of(profile.traffic(Layer::p2p, 0).folded());
  }
};

TEST_F(ProfileConnections, JoinTheRanksOfBothSides) {
  HandMadeFile parents(3);  // of the spawning side, rank 2 is rank 0 and rank 0 is rank 1
  cw_profile_connection other_parent = connection(CW_CONNECTION_SPAWNS, 2, 2, 0, 0);
  other_parent.own_rank = 1;
  other_parent.is_root = 0;
  other_parent.first = 5;
  parents.rank(0).rank(1).rank(2);
  parents.connection(0, other_parent).connection(2, connection(CW_CONNECTION_SPAWNS, 2, 2, 100, 200));
  parents.rows(0, {outward(6, 9)}).rows(2, {outward(0, 8)}).write(directory_, "a.cwprof");
  HandMadeFile children(2);
  cw_profile_connection second = connection(CW_CONNECTION_SPAWNED, 2, 2, 160, 170);
  second.own_rank = 1;
  second.is_root = 0;
  children.rank(0).rank(1).connection(0, connection(CW_CONNECTION_SPAWNED, 2, 2, 150, 170));
  children.connection(1, second).rows(1, {outward(1, 7)}).world("w").write(directory_, "b.cwprof");
  const Profile profile = Profile::read(directory_);
  EXPECT_THAT(profile.faults(), IsEmpty());
  EXPECT_THAT(pairs(profile), ElementsAre(Pair{0, 4, 9}, Pair{2, 3, 8}, Pair{4, 0, 7}));
}

TEST_F(ProfileConnections, ToProcessesThatAreNotInTheProfileAreTold) {
  HandMadeFile parents(1);
  parents.rank(0).connection(0, connection(CW_CONNECTION_SPAWNS, 1, 1, 100, 200));
  parents.rows(0, {outward(0, 8), outward(3, 8)}).write(directory_);
  const Profile profile = Profile::read(directory_);
  EXPECT_THAT(profile.faults(),
              ElementsAre(HasSubstr("2 messages went to processes outside MPI_COMM_WORLD")));
  EXPECT_THAT(pairs(profile), IsEmpty());
  EXPECT_EQ(profile.rows().front().count, 2U);  // the calls and their time stay
}

/// Two processes that have spawned one process each.
HandMadeFile two_spawners(std::int64_t second_begin, std::uint64_t first_name, std::uint64_t second_name) {
  cw_profile_connection first = connection(CW_CONNECTION_SPAWNS, 1, 1, 100, 200);
  cw_profile_connection second = connection(CW_CONNECTION_SPAWNS, 1, 1, second_begin, 300);
  first.spawner = first_name;
  second.spawner = second_name;
  second.id = kCall + 1;
  HandMadeFile file = file_of(2);
  file.connection(0, first).connection(1, second);
  return file;
}

TEST_F(ProfileConnections, AtDifferentTimesAreToldApart) {
  two_spawners(150, 0, 0).write(directory_, "a.cwprof");
  child("w", 120, 8);  // only the first spawner's call was running then, so the other child is of the second
  child("x", 180, 9);
  EXPECT_THAT(pairs(Profile::read(directory_)), ElementsAre(Pair{2, 0, 8}, Pair{3, 1, 9}));
}

TEST_F(ProfileConnections, AtOneTimeAreToldApartByTheSpawnersName) {
  two_spawners(100, 7, 6).write(directory_, "a.cwprof");
  child("w", 120, 8, 6);
  child("x", 180, 9, 7);
  EXPECT_THAT(pairs(Profile::read(directory_)), ElementsAre(Pair{2, 1, 8}, Pair{3, 0, 9}));
}

TEST_F(ProfileConnections, ThatCantBeToldApartAreLeftOut) {
  two_spawners(100, 0, 0).write(directory_, "a.cwprof");
  child("w", 120, 8);
  child("x", 180, 9);
  const Profile profile = Profile::read(directory_);
  EXPECT_THAT(pairs(profile), IsEmpty());
  EXPECT_THAT(profile.faults(), ElementsAre(HasSubstr("can't be distinguished from others")));
}

TEST_F(ProfileConnections, BetweenSpawnedProcessesJoinThemToo) {
  HandMadeFile(1).rank(0).write(directory_, "a.cwprof");
  HandMadeFile accepts(1), connects(1);
  accepts.rank(0).connection(0, connection(CW_CONNECTION_ACCEPTS, 1, 1, 100, 200));
  accepts.rows(0, {outward(0, 8)}).world("w").write(directory_, "b.cwprof");
  connects.rank(0).connection(0, connection(CW_CONNECTION_CONNECTS, 1, 1, 190, 201));
  connects.world("x").write(directory_, "c.cwprof");
  EXPECT_THAT(pairs(Profile::read(directory_)), ElementsAre(Pair{1, 2, 8}));
}

TEST_F(ProfileConnections, ThatCantBeAreDamage) {
  cw_profile_connection outside_of_its_side = connection(CW_CONNECTION_SPAWNS, 1, 1, 100, 200);
  outside_of_its_side.own_rank = 1;
  HandMadeFile(1)
      .rank(0)
      .connection(0, outside_of_its_side)
      .connection(0, connection(CW_N_CONNECTION_KINDS, 1, 1, 100, 200))
      .connection(0, connection(CW_CONNECTION_SPAWNS, 2, 1, 100, 200))
      .write(directory_);
  EXPECT_THAT(Profile::read(directory_).faults(), ElementsAre(HasSubstr("3 damaged parts")));
}

}  // namespace
}  // namespace corewise
