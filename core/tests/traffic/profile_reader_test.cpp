/// The profile reader: intact, truncated and foreign files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "corewise/error.hpp"
#include "corewise/profile.hpp"
#include "profile_builder.hpp"
#include "profile_folder.hpp"

namespace corewise {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class ProfileReader : public ProfileFolder {};

std::uint64_t bytes_of(const CommMatrix& matrix, int src, int dst) {
  for (const PairTraffic& entry : matrix.row(Rank{src})) {
    if (raw(entry.peer) == dst) return entry.bytes;
  }
  return 0;
}

HandMadeFile two_ranks() {
  // Rank 0 sends 3 messages of 8 B (size class 4) and one of 64 KiB (class 17) to rank 1. Rank 1 waits once.
  HandMadeFile file = file_of(2);
  file.rows(0, {test_row(kSend, 1, 4, kMessage, 3, 24), test_row(kSend, 1, 17, kMessage, 1, 65536)});
  file.rows(1, {test_row(kWait, -1, 0, CW_ROW_CALL, 1, 0)});
  return file;
}

TEST_F(ProfileReader, ReadsRanksRowsAndTraffic) {
  const Profile profile = read(two_ranks());
  EXPECT_TRUE(profile.complete());
  EXPECT_THAT(profile.faults(), IsEmpty());
  ASSERT_EQ(profile.n_ranks(), 2);
  EXPECT_EQ(profile.ranks()[1].host, "n0");
  EXPECT_EQ(profile.ranks()[1].pid, 101);
  EXPECT_THAT(profile.ranks()[1].os_pus, ElementsAre(OsIndex{2}));
  EXPECT_DOUBLE_EQ(profile.ranks()[0].wall_s, 2.0);
  EXPECT_DOUBLE_EQ(profile.ranks()[0].mpi_s, 2.0);
  const CommMatrix matrix = profile.traffic(Layer::p2p, 32768).folded();
  EXPECT_EQ(bytes_of(matrix, 0, 1), 65560u);
  EXPECT_EQ(matrix.messages(), 4u);
}

TEST_F(ProfileReader, RoundsTheThresholdUpToAPowerOfTwoAndIsExactThere) {
  const Profile profile = read(two_ranks());
  const Traffic at = profile.traffic(Layer::p2p, 65536);
  EXPECT_EQ(at.large->matrix.bytes(), 65536u);
  const Traffic above = profile.traffic(Layer::p2p, 65537);
  EXPECT_EQ(above.large->threshold_bytes, 131072u);
  EXPECT_EQ(above.large->matrix.bytes(), 0u);
  EXPECT_EQ(profile.traffic(Layer::p2p, 0).large->matrix.bytes(), 65560u);
}

TEST_F(ProfileReader, AddsUpTheThreadsOfARank) {
  HandMadeFile file = two_ranks();
  file.rows(0, {test_row(kSend, 1, 4, kMessage, 1, 8)});
  const Profile profile = read(file);
  EXPECT_EQ(profile.rows().size(), 3u);
  EXPECT_EQ(profile.rows()[0].count, 4u);
  EXPECT_EQ(profile.rows()[0].bytes, 32u);
}

TEST_F(ProfileReader, LetsAKilledRankLastUntilItsLastCall) {
  HandMadeFile file(2);
  file.rank(0).rank(1, false);
  file.rows(1, {test_row(kSend, 0, 4, kMessage, 1, 8)}, 1500);
  const Profile profile = read(file);
  EXPECT_FALSE(profile.complete());
  EXPECT_FALSE(profile.ranks()[1].finished);
  EXPECT_DOUBLE_EQ(profile.ranks()[1].wall_s, 0.5);
}

TEST_F(ProfileReader, ExpandsCollectivesOverTheMembersOfTheirCommunicator) {
  // The group {3, 1}: world rank 3 is its rank 0. World ranks 0 and 2 are no members.
  HandMadeFile file = file_of(4);
  file.group(77, {{3, -2, 2}});
  for (const int rank : {1, 3}) {
    file.rows(rank, {test_row(kBcast, 0, 4, kCollective, 1, 8, 77),
                     test_row(kGather, 0, 5, kCollective, 1, 16, 77)});
  }
  const Profile profile = read(file);
  const CommMatrix matrix = profile.traffic(Layer::coll, 0).folded();
  EXPECT_EQ(bytes_of(matrix, 3, 1), 8u);   // Bcast from the root, world rank 3
  EXPECT_EQ(bytes_of(matrix, 1, 3), 16u);  // Gather to the root
  EXPECT_EQ(matrix.n_entries(), 2u);
  EXPECT_EQ(profile.traffic(Layer::p2p, 0).folded().n_entries(), 0u);
}

TEST_F(ProfileReader, ExpandsAllPairsThroughFirstAndChain) {
  const auto matrix_of = [&](TestCall call) {
    HandMadeFile file = file_of(3);
    file.group(5, {{0, 1, 3}});
    for (const int rank : {0, 1, 2}) file.rows(rank, {test_row(call, -1, 4, kCollective, 2, 16, 5)});
    return read(file).traffic(Layer::coll, 0).folded();
  };
  EXPECT_EQ(matrix_of(kAllgather).bytes(), 6u * 16u);
  const CommMatrix allreduce = matrix_of(kAllreduce);
  EXPECT_EQ(allreduce.bytes(), 4u * 16u);
  EXPECT_EQ(bytes_of(allreduce, 1, 2), 0u);
  const CommMatrix scan = matrix_of(kScan);
  EXPECT_EQ(scan.messages(), 4u);
  EXPECT_EQ(bytes_of(scan, 1, 2), 16u);
}

TEST_F(ProfileReader, TurnsAGetRound) {
  HandMadeFile file = file_of(2);
  file.rows(0, {test_row(kGet, 1, 4, CW_ROW_CALL | CW_ROW_FROM_PEER, 1, 8)});
  const CommMatrix matrix = read(file).traffic(Layer::rma, 0).folded();
  EXPECT_EQ(bytes_of(matrix, 1, 0), 8u);
}

TEST_F(ProfileReader, SaysWhichCollectivesCannotBeResolved) {
  HandMadeFile file = file_of(2);
  file.rows(0, {test_row(kBcast, 0, 4, kCollective, 3, 24, 99)});
  const Profile profile = read(file);
  EXPECT_FALSE(profile.complete());
  EXPECT_THAT(profile.faults(), ElementsAre(HasSubstr("3 collective calls")));
}

TEST_F(ProfileReader, MergesTheNodesOfAJobAndRefusesTwoJobs) {
  HandMadeFile a(2, "job", "n0");
  HandMadeFile b(2, "job", "n1");
  a.rank(0);
  b.rank(1);
  a.write(directory_, "n0.cwprof");
  EXPECT_THAT(Profile::read(directory_).faults(), ElementsAre(HasSubstr("1 of 2 ranks")));
  b.write(directory_, "n1.cwprof");
  EXPECT_EQ(Profile::read(directory_).ranks()[1].host, "n1");
  HandMadeFile(2, "another").rank(0).write(directory_, "n2.cwprof");
  EXPECT_THAT(why_refused(), HasSubstr("'another'"));
}

TEST_F(ProfileReader, TellsApartNodesOfOneHostName) {
  for (const int i : {0, 1}) {
    HandMadeFile file(2, "job", "vm");
    cw_profile_header header = file.header();
    std::strcpy(header.node.id, i == 0 ? "51a99735-4026531840" : "51a99735-4026532201");
    std::strcpy(header.node.batch_name, i == 0 ? "" : "n1");
    std::strcpy(header.node.addresses, i == 0 ? "" : "10.77.0.2 fd00::2");
    file.put(0, header);
    file.rank(1 - i);
    file.write(directory_, i == 0 ? "a.cwprof" : "b.cwprof");
  }
  const Profile found = Profile::read(directory_);
  ASSERT_EQ(found.nodes().size(), 2u);
  EXPECT_EQ(found.ranks()[0].node, 1);
  EXPECT_EQ(found.ranks()[1].node, 0);
  EXPECT_THAT(found.nodes()[0].addresses, IsEmpty());
  EXPECT_EQ(found.nodes()[1].id, "51a99735-4026532201");
  EXPECT_EQ(found.nodes()[1].batch_name, "n1");
  EXPECT_THAT(found.nodes()[1].addresses, ElementsAre("10.77.0.2", "fd00::2"));
}

TEST_F(ProfileReader, ReadsTheShorterHeaderOfAnOlderTracer) {
  // The older header ends after the host name, with 448 bytes; the table of calls follows.
  HandMadeFile file(1, "job", "n7");
  const cw_profile_header newer = file.header();
  constexpr std::size_t kOlder = offsetof(cw_profile_header, node) + sizeof newer.node.host;
  static_assert(kOlder == 448);
  const std::size_t calls_bytes = newer.n_calls * sizeof(cw_profile_call);
  std::memmove(&file.data()[kOlder], &file.data()[newer.calls_offset], calls_bytes);
  cw_profile_header header = newer;
  header.calls_offset = kOlder;
  std::memcpy(file.data().data(), &header, kOlder);
  file.rank(0).rows(0, {test_row(kSend, 0, 4, kMessage, 3, 24)});
  const Profile found = read(file);
  EXPECT_EQ(found.nodes()[0].host, "n7");
  EXPECT_EQ(found.nodes()[0].id, "");
  EXPECT_THAT(found.nodes()[0].addresses, IsEmpty());
  EXPECT_EQ(found.calls()[0].name, "MPI_Send");
  EXPECT_EQ(found.rows().size(), 1u);
}

TEST_F(ProfileReader, RefusesWhatIsNoProfile) {
  EXPECT_THAT(why_refused(), HasSubstr("expected a directory"));
  std::filesystem::create_directories(directory_);
  EXPECT_THAT(why_refused(), HasSubstr("holds no profile"));
  std::ofstream(directory_ + "/n0.cwprof") << std::string(1000, 'x');
  EXPECT_THAT(why_refused(), HasSubstr("not a profile"));
  HandMadeFile newer(2);
  cw_profile_header header = newer.header();
  header.version = CW_PROFILE_VERSION + 1;
  newer.put(0, header);
  newer.write(directory_);
  EXPECT_THAT(why_refused(), HasSubstr("version 3; expected 1-2"));
}

TEST_F(ProfileReader, ReadsTheFileOfAKilledJobAsFarAsItGoes) {
  // Rank 1 was killed while the file grew: its second chunk was allocated, but is not in the file.
  HandMadeFile file(2);
  file.rank(0).rank(1, false);
  file.rows(0, {test_row(kSend, 1, 4, kMessage, 3, 24)});
  file.rows(1, {test_row(kWait, -1, 0, CW_ROW_CALL, 1, 0)});
  file.data().resize(file.data().size() - CW_PROFILE_CHUNK_BYTES);
  const Profile profile = read(file);
  EXPECT_FALSE(profile.complete());
  EXPECT_EQ(bytes_of(profile.traffic(Layer::p2p, 0).folded(), 0, 1), 24u);
}

TEST_F(ProfileReader, SurvivesAnyDamage) {
  std::mt19937 random(1);
  for (int round = 0; round < 500; ++round) {
    HandMadeFile file = two_ranks();
    file.group(5, {{0, 1, 2}}).groups({{6, {{1, -1, 2}}}, {7, {{0, 1, 1}}}}).comm(9, 6, 0, "c");
    file.rows(1, {test_row(kBcast, 0, 4, kCollective, 1, 8, 5), test_row(kBcast, 0, 4, kCollective, 1, 8, 9),
                  test_row(kSend, 0, 4, kMessage, 1, 8, 9)});
    std::vector<char>& data = file.data();
    for (int hit = 0; hit < 8; ++hit) {
      // Half of the hits are in the header or the first bytes of a chunk, to damage the structure.
      const std::size_t chunk = random() % (data.size() / CW_PROFILE_CHUNK_BYTES) * CW_PROFILE_CHUNK_BYTES;
      const std::size_t at = random() % 2 == 0 ? chunk + random() % 160 : random() % data.size();
      data[at] = random() % 3 == 0 ? static_cast<char>(0xff) : static_cast<char>(random());
    }
    if (random() % 4 == 0) data.resize(random() % data.size());
    file.write(directory_);
    try {
      const Profile profile = Profile::read(directory_);
      for (const Layer layer : {Layer::p2p, Layer::coll, Layer::rma}) (void)profile.traffic(layer, 32768);
      EXPECT_GE(profile.n_ranks(), 1);
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("expected"));
    }
  }
}

}  // namespace
}  // namespace corewise
