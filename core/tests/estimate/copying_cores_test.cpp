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
  MachineDescription description;
  description.name = "wide";
  LinkFigures package{1, 100, "test"};
  LinkFigures node{2, 1000, "test"};
  if (copying) {
    package.loads = {{1, 1, true, 100, {100, 100}}};
    node.curve = {{0, 2, {2, 2}}, {2 * kBytes, 42, {42, 42}}};
  }
  description.figures = {{"package", package}, {"node", node}};
  description.shapes = {testing::two_level_node({2, 2})};
  description.shape_of_node = {0};
  return make_machine(description);
}

double phase_s(const std::vector<testing::Message>& messages, bool copying, const Placement& placement) {
  const Traffic traffic = testing::traffic_of(placement.n_ranks(), messages);
  return estimate(traffic, {}, wide_links(copying), placement).makespan_s;
}

TEST(CopyingCores, WideLinksAboveANarrowOneKeepTheirLatency) {
  const Placement apart = placed({0, 2});
  const std::vector<testing::Message> one = {{0, 1, kBytes}};
  EXPECT_DOUBLE_EQ(phase_s(one, false, apart), 2 + kBytes / 100.0);
  const Schedule schedule = schedule_of_steps(2, {{0, 0, 1, kBytes}});
  EXPECT_DOUBLE_EQ(estimate(schedule, wide_links(false), apart).makespan_s, 2 + kBytes / 100.0);
}

TEST(CopyingCores, OneMessageTakesItsTimeOnTheCurve) {
  const Placement apart = placed({0, 2});
  const std::vector<testing::Message> one = {{0, 1, kBytes}};
  EXPECT_DOUBLE_EQ(phase_s(one, true, apart), 2 + kBytes / 50.0);
  const Schedule schedule = schedule_of_steps(2, {{0, 0, 1, kBytes}});
  EXPECT_DOUBLE_EQ(estimate(schedule, wide_links(true), apart).makespan_s, 2 + kBytes / 50.0);
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
