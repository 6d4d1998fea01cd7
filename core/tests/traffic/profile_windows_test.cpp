/// Windows, regions, communicators and waiting in profiles of version 2.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "corewise/profile.hpp"
#include "profile_builder.hpp"
#include "profile_folder.hpp"
#include "traffic/varint.hpp"

namespace corewise {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class ProfileWindows : public ProfileFolder {};

/// Bytes of each window, in order.
std::vector<std::uint64_t> bytes_of_windows(const Profile& profile, Layer layer = Layer::p2p) {
  std::vector<std::uint64_t> bytes;
  for (const CommMatrix& matrix : profile.window_matrices(layer, CollectiveFlow::logical)) {
    bytes.push_back(matrix.bytes());
  }
  return bytes;
}

/// Four ranks that ran from second 0 to 2 of 1970. Rank 0 sent 10 messages of 8 bytes to 1, 5 to 2.
HandMadeFile four_ranks() {
  HandMadeFile file = file_of(4);
  file.rows(0, {test_row(kSend, 1, 4, kMessage, 10, 80), test_row(kSend, 2, 4, kMessage, 5, 40)}, 2500);
  return file;
}

// A record: number, region (zigzag), number of rows, and for each row: row, count, bytes, ticks.
const std::vector<std::int64_t> kFirstSecond = {0, 2, 1, 0, 6, 48, 0};

TEST_F(ProfileWindows, HoldWhatRowsGrewByAndTheLastOneTheRest) {
  // 6 messages to rank 1 in the first second. The last call was at tick 2500, 1.5 s after the start.
  HandMadeFile file = four_ranks();
  file.windows(0, 0, kFirstSecond);
  const Profile profile = read(file);
  EXPECT_TRUE(profile.complete());
  EXPECT_THAT(bytes_of_windows(profile), ElementsAre(48, 72));
  ASSERT_THAT(profile.windows(), SizeIs(2));
  EXPECT_DOUBLE_EQ(profile.windows()[0].begin_s, 0);
  EXPECT_DOUBLE_EQ(profile.windows()[0].end_s, 1);
  EXPECT_DOUBLE_EQ(profile.windows()[1].end_s, 2);
  EXPECT_EQ(profile.traffic(Layer::p2p, 0).folded().bytes(), 120u);
}

TEST_F(ProfileWindows, BecomePhasesWhereThePatternChanges) {
  // Messages only to rank 1 in seconds 0 and 1, only to rank 2 in seconds 2 and 3.
  HandMadeFile file(4);
  for (const int rank : {0, 1, 2, 3}) file.rank(rank, rank != 0);
  file.rows(0, {test_row(kSend, 1, 4, kMessage, 10, 80), test_row(kSend, 2, 4, kMessage, 5, 40)}, 4500);
  file.windows(0, 0, {0, 2, 1, 0, 6, 48, 0, 1, 2, 1, 0, 4, 32, 0, 1, 2, 1, 1, 2, 16, 0});
  const Traffic traffic = read(file).traffic(Layer::p2p, 0);
  ASSERT_THAT(traffic.phases, SizeIs(2));
  EXPECT_EQ(traffic.phases[0].matrix.bytes(), 80u);
  EXPECT_EQ(traffic.phases[1].matrix.bytes(), 40u);
  EXPECT_DOUBLE_EQ(traffic.phases[0].when->end_s, 2);
  EXPECT_DOUBLE_EQ(traffic.phases[1].when->begin_s, 2);
  EXPECT_NE(traffic.phases[0].pattern, traffic.phases[1].pattern);
}

TEST_F(ProfileWindows, AreOnePhaseWithoutChunksOfWindows) {
  const Profile profile = read(four_ranks());
  EXPECT_THAT(profile.windows(), IsEmpty());
  const Traffic traffic = profile.traffic(Layer::p2p, 0);
  ASSERT_THAT(traffic.phases, SizeIs(1));
  EXPECT_DOUBLE_EQ(traffic.phases[0].when->end_s, 2);
}

TEST_F(ProfileWindows, OfTheHighestLevelAloneCount) {
  // The rank was killed after it had added up its windows in pairs, but before it emptied the old chunk.
  HandMadeFile file = four_ranks();
  file.windows(0, 0, kFirstSecond).windows(0, 1, {0, 2, 2, 0, 10, 80, 0, 1, 5, 40, 0});
  const Profile profile = read(file);
  EXPECT_THAT(bytes_of_windows(profile), ElementsAre(120));
  EXPECT_DOUBLE_EQ(profile.windows()[0].end_s, 2);
}

TEST_F(ProfileWindows, OfAllRanksAreAsLongAsTheLongest) {
  HandMadeFile file = four_ranks();
  file.rows(3, {test_row(kSend, 0, 4, kMessage, 2, 16)}, 2500);
  file.windows(0, 0, kFirstSecond).windows(3, 1, {0, 2, 1, 0, 2, 16, 0});
  EXPECT_THAT(bytes_of_windows(read(file)), ElementsAre(136));
}

TEST_F(ProfileWindows, ReachRowsOfLaterChunksByTheirNumberInTheThread) {
  HandMadeFile file = file_of(2);
  file.rows(0, {test_row(kSend, 1, 4, kMessage, 1, 8)}, 2500);
  file.rows(0, {test_row(kSend, 1, 5, kMessage, 1, 16)}, 0, 1);
  file.windows(0, 0, {0, 2, 1, 1, 1, 16, 0});
  EXPECT_THAT(bytes_of_windows(read(file)), ElementsAre(16, 8));
}

TEST_F(ProfileWindows, NeverHoldMoreThanTheirRows) {
  HandMadeFile file = four_ranks();
  file.windows(0, 0, {0, 2, 2, 0, 1000, 1 << 20, 0, 700, 1, 1, 1});
  EXPECT_THAT(bytes_of_windows(read(file)), ElementsAre(80, 40));
}

TEST_F(ProfileWindows, AreDamageWhereARecordIsCutOffAndWhatCameBeforeCounts) {
  HandMadeFile file = four_ranks();
  file.windows(0, 0, {0, 2, 2, 0, 6, 48, 0, 1});
  const Profile profile = read(file);
  EXPECT_THAT(profile.faults(), ElementsAre(HasSubstr("1 damaged parts")));
  EXPECT_THAT(bytes_of_windows(profile), ElementsAre(48, 72));
}

TEST_F(ProfileWindows, AreAddedUpInPairsUntilThereAreFewEnough) {
  HandMadeFile file(2);
  file.rank(0, false).rank(1);
  file.rows(0, {test_row(kSend, 1, 4, kMessage, 600, 600 * 8)}, 1000 + 599 * 1000);
  std::vector<std::int64_t> numbers;
  for (int i = 0; i < 500; ++i) numbers.insert(numbers.end(), {i == 0 ? 0 : 1, 2, 1, 0, 1, 8, 0});
  file.windows(0, 0, numbers);
  const std::vector<std::uint64_t> bytes = bytes_of_windows(read(file));
  EXPECT_EQ(bytes.size(), 251u);  // of 2 s: 0-499, and 599
  EXPECT_EQ(bytes.front(), 16u);
}

TEST_F(ProfileWindows, KeepTheRegionsOfPcontrolApart) {
  HandMadeFile file = four_ranks();
  file.windows(0, 0, {0, zigzag(1), 1, 0, 2, 16, 0, 0, zigzag(-7), 1, 0, 4, 32, 0}, 5);
  const std::vector<RegionTraffic> regions = read(file).regions(Layer::p2p, CollectiveFlow::logical);
  ASSERT_THAT(regions, SizeIs(3));
  EXPECT_EQ(regions[0].level, -7);
  EXPECT_EQ(regions[0].matrix.bytes(), 32u);
  EXPECT_EQ(regions[1].level, 1);
  EXPECT_EQ(regions[1].matrix.bytes(), 16u);
  EXPECT_EQ(regions[2].level, 5);  // calls after the last record
  EXPECT_EQ(regions[2].matrix.bytes(), 72u);
}

TEST_F(ProfileWindows, TellADuplicateFromItsParent) {
  HandMadeFile file = file_of(2);
  file.group(5, {{0, 1, 2}}).comm(70, 5, 0, "MPI_COMM_WORLD").comm(71, 5, 70, "copy");
  file.rows(0, {test_row(kSend, 1, 4, kMessage, 1, 8, 70), test_row(kSend, 1, 4, kMessage, 2, 16, 71),
                test_row(kBcast, 0, 4, kCollective, 1, 8, 71), test_row(kSend, 1, 5, kMessage, 1, 16, 5)});
  const Profile profile = read(file);
  EXPECT_TRUE(profile.complete());
  ASSERT_THAT(profile.comms(), SizeIs(3));
  EXPECT_EQ(profile.comms()[1].name, "copy");
  EXPECT_EQ(profile.comms()[1].parent, 0);
  EXPECT_EQ(profile.comms()[1].id, 71u);
  EXPECT_FALSE(profile.comms()[2].by_identity);
  std::map<std::int32_t, std::uint64_t> sent;
  for (const ProfileRow& row : profile.rows()) sent[row.comm] += row.sent_bytes;
  EXPECT_THAT(sent, ElementsAre(testing::Pair(0, 8), testing::Pair(1, 24), testing::Pair(2, 16)));
  EXPECT_EQ(profile.traffic(Layer::coll, 0).folded().bytes(), 8u);
}

TEST_F(ProfileWindows, CountTimeOfWaitingOnce) {
  HandMadeFile file = file_of(2);
  file.rows(0, {test_row(kWait, -1, 0, CW_ROW_CALL, 1, 0), test_row(kWait, 1, 0, CW_ROW_WAIT, 1, 0)});
  const Profile profile = read(file);
  EXPECT_DOUBLE_EQ(profile.ranks()[0].mpi_s, 1.0);
  EXPECT_EQ(profile.rows()[1].flow, RowFlow::waited);
  EXPECT_EQ(profile.rows()[1].peer, 1);
}

TEST(Varint, GivesBackWhatWasWrittenAndStopsAtItsEnd) {
  std::vector<std::uint8_t> bytes;
  const std::vector<std::int64_t> values = {0, -1, 1, 63, 64, -65, INT32_MAX, INT64_MIN, INT64_MAX};
  for (const std::int64_t value : values) put_varint(bytes, static_cast<std::uint64_t>(zigzag(value)));
  VarintReader reader(bytes);
  for (const std::int64_t value : values) EXPECT_EQ(reader.next_signed(), value);
  EXPECT_TRUE(reader.ok() && reader.at_end());
  EXPECT_EQ(reader.next(), 0u);
  EXPECT_FALSE(reader.ok());
  const std::vector<std::uint8_t> too_long(11, 0x80);
  VarintReader endless(too_long);
  EXPECT_EQ(endless.next(), 0u);
  EXPECT_FALSE(endless.ok());
}

}  // namespace
}  // namespace corewise
