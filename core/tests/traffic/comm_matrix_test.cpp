/// CommMatrix, PairGraph and Traffic.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "corewise/error.hpp"
#include "corewise/traffic.hpp"

namespace corewise {
namespace {

CommMatrix chain() {
  // 0 --8 B, 1 message--> 1 --4 B, 2 messages--> 2, and 2 --3 B, 1 message--> 1.
  return CommMatrix::from_entries(
      3, {{Rank{1}, Rank{2}, 4, 2}, {Rank{0}, Rank{1}, 8, 1}, {Rank{2}, Rank{1}, 3, 1}});
}

TEST(CommMatrix, AddsUpEntriesOfOnePair) {
  const CommMatrix matrix = CommMatrix::from_entries(2, {{Rank{0}, Rank{1}, 5, 1}, {Rank{0}, Rank{1}, 7, 2}});
  ASSERT_EQ(matrix.row(Rank{0}).size(), 1u);
  EXPECT_EQ(matrix.row(Rank{0})[0].bytes, 12u);
  EXPECT_EQ(matrix.row(Rank{0})[0].messages, 3u);
}

TEST(CommMatrix, KeepsSelfMessagesApart) {
  const CommMatrix matrix =
      CommMatrix::from_entries(2, {{Rank{0}, Rank{0}, 100, 1}, {Rank{0}, Rank{1}, 1, 1}});
  EXPECT_EQ(matrix.bytes(), 1u);
  EXPECT_EQ(matrix.self_bytes(), 100u);
}

TEST(CommMatrix, RefusesARankThatIsNotThere) {
  EXPECT_THROW((void)CommMatrix::from_entries(2, {{Rank{0}, Rank{2}, 1, 1}}), Error);
  EXPECT_THROW((void)CommMatrix::from_entries(2, {{Rank{-1}, Rank{0}, 1, 1}}), Error);
}

TEST(CommMatrix, RefusesATotalThatDoesNotFit) {
  const std::uint64_t half = std::uint64_t{1} << 62;
  EXPECT_THROW((void)CommMatrix::from_entries(2, {{Rank{0}, Rank{1}, half, 1}, {Rank{1}, Rank{0}, half, 1}}),
               Error);
}

TEST(PairGraph, HoldsBothWaysTogetherInBothRows) {
  const PairGraph graph(chain());
  EXPECT_EQ(graph.n_pairs(), 2u);
  ASSERT_EQ(graph.partners(Rank{1}).size(), 2u);
  EXPECT_EQ(graph.partners(Rank{1})[0].bytes, 8u);
  EXPECT_EQ(graph.partners(Rank{1})[1].bytes, 7u);
  EXPECT_EQ(graph.partners(Rank{2})[0].messages, 3u);
}

TEST(Traffic, FoldsPhasesWithTheirRepeats) {
  Traffic traffic;
  traffic.phases = {{2, chain()}, {1, chain()}};
  EXPECT_EQ(traffic.folded().bytes(), 3u * 15u);
}

TEST(InterOverIntra, CountsSelfMessagesAsIntraNode) {
  const CommMatrix matrix = CommMatrix::from_entries(2, {{Rank{0}, Rank{0}, 4, 1}, {Rank{0}, Rank{1}, 2, 1}});
  const std::vector<NodeIndex> nodes{NodeIndex{0}, NodeIndex{1}};
  EXPECT_DOUBLE_EQ(inter_over_intra(matrix, nodes).bytes.value(), 0.5);
}

TEST(InterOverIntra, IsAbsentWhereNothingStaysInsideANode) {
  const std::vector<NodeIndex> nodes{NodeIndex{0}, NodeIndex{1}, NodeIndex{2}};
  EXPECT_FALSE(inter_over_intra(chain(), nodes).bytes.has_value());
}

}  // namespace
}  // namespace corewise
