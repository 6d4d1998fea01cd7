/// Times of messages between nodes of a torus, worked out by hand.
#include <gtest/gtest.h>

#include "corewise/estimate.hpp"
#include "mapping_cases.hpp"
#include "steps.hpp"

namespace corewise {
namespace {

using testing::placed;
using testing::schedule_of_steps;

constexpr std::uint64_t kBytes = 1000;

/// A ring of eight nodes of two cores: 1 s and 1000 bytes/s within a node, 4 s and 100 bytes/s between a node
/// and its point, 0.5 s per hop and 150 bytes/s between points.
Machine ring_of_nodes() {
  MachineDescription description;
  description.name = "ring";
  description.shapes = {testing::two_level_node({2})};
  description.shape_of_node.assign(8, 0);
  description.figures = {{"node", {1, 1000, "test"}}, {"network", {4, 100, "test"}}};
  description.torus = Torus{{8}, {0, 1, 2, 3, 4, 5, 6, 7}, 150, 0.5, "test"};
  return make_machine(description);
}

const Placement& first_cores() {  // rank i on node i
  static const Placement placement = placed({0, 2, 4, 6, 8, 10, 12, 14});
  return placement;
}

double replayed_s(const std::vector<Transfer>& transfers) {
  return estimate(schedule_of_steps(8, transfers), ring_of_nodes(), first_cores()).makespan_s;
}

TEST(TorusTimes, OfOneMessageHaveItsHops) {
  EXPECT_DOUBLE_EQ(replayed_s({{0, 0, 1, kBytes}}), 4 + 0.5 + kBytes / 100.0);
  EXPECT_DOUBLE_EQ(replayed_s({{0, 0, 3, kBytes}}), 4 + 3 * 0.5 + kBytes / 100.0);
  EXPECT_DOUBLE_EQ(replayed_s({{0, 0, 6, kBytes}}), 4 + 2 * 0.5 + kBytes / 100.0);  // backwards
}

TEST(TorusTimes, OfMessagesThatCrossOneLinkInOneDirectionShareIt) {
  // 0 -> 2, 1 -> 3 and 2 -> 4: at most two messages cross a link, and each gets 75 of its 150 bytes/s.
  EXPECT_DOUBLE_EQ(replayed_s({{0, 0, 2, kBytes}, {0, 1, 3, kBytes}, {0, 2, 4, kBytes}}),
                   4 + 2 * 0.5 + kBytes / 75.0);
  EXPECT_DOUBLE_EQ(replayed_s({{0, 0, 2, kBytes}, {0, 3, 1, kBytes}}), 4 + 2 * 0.5 + kBytes / 100.0);
}

TEST(TorusTimes, OfASlowTorusKeepTheLatency) {
  MachineDescription description;
  description.shapes = {testing::two_level_node({2})};
  description.shape_of_node = {0, 0};
  description.figures = {{"node", {1, 1000, "test"}}, {"network", {4, 100, "test"}}};
  description.torus = Torus{{2}, {0, 1}, 10, 0.5, "test"};
  const Schedule schedule = schedule_of_steps(2, {{0, 0, 1, kBytes}});
  EXPECT_DOUBLE_EQ(estimate(schedule, make_machine(description), placed({0, 2})).makespan_s,
                   4 + 0.5 + kBytes / 10.0);
}

TEST(TorusTimes, SayWhichLinkIsBusiest) {
  const CommMatrix matrix =
      CommMatrix::from_entries(8, {{Rank{3}, Rank{1}, kBytes, 1}, {Rank{2}, Rank{0}, kBytes, 1}});
  const Estimate found = estimate(Traffic::of(matrix), {}, ring_of_nodes(), first_cores());
  EXPECT_EQ(found.busiest.axis, 0);
  EXPECT_EQ(found.busiest.group, 2);  // 2 -> 1 carries both
  EXPECT_TRUE(found.busiest.down);
  EXPECT_DOUBLE_EQ(found.busiest.busy_s, 2 * kBytes / 150.0);
}

TEST(TorusTimes, OfOneNodeAreThoseWithoutATorus) {
  const Schedule schedule = schedule_of_steps(2, {{0, 0, 1, kBytes}});
  EXPECT_DOUBLE_EQ(estimate(schedule, ring_of_nodes(), placed({0, 1})).makespan_s, 1 + kBytes / 1000.0);
}

}  // namespace
}  // namespace corewise
