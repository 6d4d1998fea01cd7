/// find_stretches() and pattern_distance().
#include "corewise/phases.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>

namespace corewise {
namespace {

using testing::DoubleEq;

CommMatrix matrix_of(const std::vector<MatrixEntry>& entries) { return CommMatrix::from_entries(4, entries); }

/// "0-2:0 3-3:1" for stretches 0..2 of pattern 0 and 3 of pattern 1.
std::string shown(const std::vector<Stretch>& stretches) {
  std::ostringstream text;
  const char* between = "";
  for (const Stretch& stretch : stretches) {
    text << between << stretch.first << "-" << stretch.last << ":" << stretch.pattern;
    between = " ";
  }
  return text.str();
}

std::string stretches_of(const std::vector<CommMatrix>& windows) { return shown(find_stretches(windows)); }

const CommMatrix kRing = matrix_of({{Rank{0}, Rank{1}, 10, 1}, {Rank{2}, Rank{3}, 10, 1}});
const CommMatrix kMoreOfRing = matrix_of({{Rank{0}, Rank{1}, 900, 9}, {Rank{2}, Rank{3}, 1000, 9}});
const CommMatrix kCross = matrix_of({{Rank{0}, Rank{2}, 10, 1}, {Rank{1}, Rank{3}, 10, 1}});
const CommMatrix kMixed = matrix_of({{Rank{0}, Rank{1}, 5, 1}, {Rank{0}, Rank{2}, 5, 1}});
const CommMatrix kSilent = matrix_of({});

TEST(PatternDistance, IsHalfTheSumOfTheDifferencesOfShares) {
  // kRing has shares of 1/2 for (0,1) and (2,3), kMixed for (0,1) and (0,2): half of (1/2 + 1/2).
  EXPECT_THAT(pattern_distance(kRing, kMixed), DoubleEq(0.5));
  EXPECT_THAT(pattern_distance(kRing, kCross), DoubleEq(1));
  EXPECT_THAT(pattern_distance(kRing, kRing), DoubleEq(0));
  EXPECT_THAT(pattern_distance(kRing, kSilent), DoubleEq(1));
  EXPECT_THAT(pattern_distance(kSilent, kSilent), DoubleEq(0));
  EXPECT_LT(pattern_distance(kRing, kMoreOfRing), 0.03);
}

TEST(PatternDistance, LooksAtMessagesWhereThereAreNoBytesAndNeverAtTheDiagonal) {
  const CommMatrix empty_messages = matrix_of({{Rank{0}, Rank{1}, 0, 3}});
  EXPECT_THAT(
      pattern_distance(empty_messages, matrix_of({{Rank{0}, Rank{1}, 0, 1}, {Rank{0}, Rank{2}, 0, 1}})),
      DoubleEq(0.5));
  EXPECT_THAT(
      pattern_distance(
          kRing,
          matrix_of({{Rank{0}, Rank{0}, 500, 1}, {Rank{0}, Rank{1}, 10, 1}, {Rank{2}, Rank{3}, 10, 1}})),
      DoubleEq(0));
}

TEST(Stretches, AreWindowsOfOnePattern) {
  EXPECT_EQ(stretches_of({}), "");
  EXPECT_EQ(stretches_of({kRing, kMoreOfRing, kRing}), "0-2:0");  // however much is sent
  EXPECT_EQ(stretches_of({kRing, kRing, kCross, kCross, kRing, kMoreOfRing}), "0-1:0 2-3:1 4-5:0");
  // They take a window in which one pattern gave way to another, and silent ones after them.
  EXPECT_EQ(stretches_of({kRing, kRing, kMixed, kCross, kCross}), "0-2:0 3-4:1");
  EXPECT_EQ(stretches_of({kSilent, kRing, kSilent, kSilent, kCross, kCross}), "0-3:0 4-5:1");
  // With less than a hundredth of the bytes, they join a neighbour.
  EXPECT_EQ(stretches_of({kCross, kMoreOfRing}), "0-0:0 1-1:1");         // 20 of 1,920 bytes
  EXPECT_EQ(stretches_of({kCross, kMoreOfRing, kMoreOfRing}), "0-2:0");  // 20 of 3,820
}

TEST(Stretches, AreAtMostSixteen) {
  std::vector<CommMatrix> windows;
  for (int i = 0; i < 60; ++i) windows.push_back(i % 2 == 0 ? kRing : kCross);
  const std::vector<Stretch> stretches = find_stretches(windows);
  EXPECT_LE(stretches.size(), kMostPhases);
  EXPECT_EQ(stretches.front().first, 0u);
  EXPECT_EQ(stretches.back().last, 59u);
}

}  // namespace
}  // namespace corewise
