/// LinkFigures: properties from curve and loads, and refused figures.
#include "corewise/link_figures.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "refusal.hpp"

namespace corewise::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

SharedLoad load(std::int32_t pairs, std::int32_t links, bool both_ways, double bandwidth) {
  return {pairs, links, both_ways, bandwidth, {bandwidth, bandwidth}};
}

/// 1 us plus 1 GB/s up to 1000 bytes; from there to 2000 bytes a slope three times as steep.
LinkFigures bent() {
  LinkFigures figures{1e-6, 1e9, "measured"};
  figures.curve = {{1, 1e-6, {1e-6, 1e-6}}, {1000, 2e-6, {2e-6, 2e-6}}, {2000, 5e-6, {5e-6, 5e-6}}};
  return figures;
}

TEST(LinkFigures, TakeAMessagesTimeFromLatencyAndBandwidthWithoutACurve) {
  const LinkFigures figures{1e-6, 1e9, "x"};
  EXPECT_DOUBLE_EQ(figures.message_s(0), 1e-6);
  EXPECT_DOUBLE_EQ(figures.message_s(1000), 2e-6);
}

TEST(LinkFigures, TakeAMessagesTimeFromTheCurveAndBeyondItFromTheBandwidth) {
  const LinkFigures figures = bent();
  EXPECT_DOUBLE_EQ(figures.message_s(0), 1e-6);
  EXPECT_DOUBLE_EQ(figures.message_s(1000), 2e-6);
  EXPECT_DOUBLE_EQ(figures.message_s(1500), 3.5e-6);  // halfway from 2 to 5 us
  EXPECT_DOUBLE_EQ(figures.message_s(4000), 7e-6);    // 5 us, and 2000 bytes at 1 GB/s
}

TEST(LinkFigures, AreDuplexWhereBothDirectionsTogetherGetHalfAsMuchAgainAsOne) {
  LinkFigures figures{1e-6, 1e9, "measured"};
  EXPECT_FALSE(figures.duplex().has_value());
  figures.loads = {load(1, 1, false, 1e9), load(1, 1, true, 1.9e9)};
  EXPECT_EQ(figures.duplex(), true);
  figures.loads[1] = load(1, 1, true, 1.1e9);
  EXPECT_EQ(figures.duplex(), false);
}

TEST(LinkFigures, ShareABusWhereTwoLinksGetLessThanThreeQuartersOfTwiceOne) {
  LinkFigures figures{1e-6, 1e9, "measured"};
  figures.loads = {load(1, 1, false, 1e9)};
  EXPECT_FALSE(figures.shares_bus().has_value());
  figures.loads.push_back(load(2, 2, false, 1.6e9));
  EXPECT_EQ(figures.shares_bus(), false);
  figures.loads.back() = load(2, 2, false, 1.2e9);
  EXPECT_EQ(figures.shares_bus(), true);
  // Two pairs on each of two links get 1.9 GB/s; two pairs on one link get 1 GB/s: 1.9 of 2 * 1.
  figures.loads = {load(2, 1, false, 1e9), load(4, 2, false, 1.9e9)};
  EXPECT_EQ(figures.shares_bus(), false);
}

void expect_refused(const LinkFigures& figures, const char* reason) {
  EXPECT_THAT(refusal_of([&] { check_figures("l3", figures); }),
              AllOf(HasSubstr("level 'l3'"), HasSubstr(reason)));
}

TEST(LinkFigures, AreRefusedWhereBoundsMissTheirFigure) {
  LinkFigures figures = bent();
  check_figures("l3", figures);
  figures.latency_bounds_s = {0, NAN};
  expect_refused(figures, "enclose");
  figures.latency_bounds_s = {0, 1e-6};
  check_figures("l3", figures);
  figures.bandwidth_bounds_bytes_per_s = {0, 2e9};  // with bandwidth 0, times would be infinite
  expect_refused(figures, "above 0");
}

TEST(LinkFigures, AreRefusedWhereCurveOrLoadsAreNone) {
  LinkFigures figures = bent();
  figures.curve[2].size_bytes = 1000;
  expect_refused(figures, "a curve with 1000 bytes after 1000 bytes");
  figures = bent();
  figures.curve[1].bounds_s.low = 3e-6;
  expect_refused(figures, "enclose");
  figures = bent();
  figures.loads = {load(1, 2, false, 1e9)};
  expect_refused(figures, "1 pairs on 2 links");
  figures.loads = {load(1, 1, false, 0)};
  expect_refused(figures, "more than 0");
}

}  // namespace
}  // namespace corewise::testing
