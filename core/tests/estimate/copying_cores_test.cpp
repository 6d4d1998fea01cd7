/// Times of messages that cores copy: the additional time by a curve, and the latency of wide links.
#include <gtest/gtest.h>

#include "corewise/estimate.hpp"
#include "mapping_cases.hpp"
#include "steps.hpp"

namespace corewise {
namespace {

using testing::placed;
using testing::schedule_of_steps;

constexpr std::uint64_t kBytes = 1000;

/// A node of two packages of two cores. A core's link has 100 bytes/s and 1 s within a package; a package's
/// link has 1000 bytes/s and 2 s. With `copying`, both directions of a core's link have 100 bytes/s together,
/// and a message between packages takes 2 s plus its bytes at 50 bytes/s.
Machine wide_links(bool copying) {
  LinkFigures package{1, 100, "test"};
  LinkFigures node{2, 1000, "test"};
  if (copying) {
    package.loads = {{1, 1, true, 100, {100, 100}}};
    node.curve = {{0, 2, {2, 2}}, {2 * kBytes, 42, {42, 42}}};
  }
  return testing::machine_with({{"package", package}, {"node", node}}, 1);
}

double phase_s(const std::vector<testing::Message>& messages, bool copying, const Placement& placement) {
  const Traffic traffic = testing::traffic_of(placement.n_ranks(), messages);
  return estimate(traffic, {}, wide_links(copying), placement).makespan_s;
}

TEST(CopyingCores, WideLinksAboveANarrowOneKeepTheirLatencyOrTakeTheTimeOfTheirCurve) {
  const Placement apart = placed({0, 2});
  const Schedule schedule = schedule_of_steps(2, {{0, 0, 1, kBytes}});
  for (const bool copying : {false, true}) {
    const double expected_s = 2 + kBytes / (copying ? 50.0 : 100.0);
    EXPECT_DOUBLE_EQ(phase_s({{0, 1, kBytes}}, copying, apart), expected_s);
    EXPECT_DOUBLE_EQ(estimate(schedule, wide_links(copying), apart).makespan_s, expected_s);
  }
}

TEST(CopyingCores, CopyWhatTheySendAndWhatTheyReceiveOneAfterTheOther) {
  const std::vector<testing::Message> exchange = {{0, 1, kBytes}, {1, 0, kBytes}};
  EXPECT_DOUBLE_EQ(phase_s(exchange, true, placed({0, 2})), 2 + 2 * kBytes / 50.0);
  // Rank 0 sends to the other package and receives within its own package.
  const std::vector<testing::Message> mixed = {{0, 1, kBytes}, {2, 0, kBytes}};
  EXPECT_DOUBLE_EQ(phase_s(mixed, true, placed({0, 2, 1})), 2 + kBytes / 50.0 + kBytes / 100.0);
}

TEST(CopyingCores, OfOneCorePassMessagesInTheTimeOfTheLowestLevel) {
  EXPECT_DOUBLE_EQ(phase_s({{0, 1, kBytes}}, false, placed({0, 0})), 1 + kBytes / 100.0);
}

}  // namespace
}  // namespace corewise
