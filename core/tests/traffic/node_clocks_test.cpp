/// Clocks of nodes: bounds worked out by hand, and synthetic clocks recovered within the stated error.
#include "traffic/node_clocks.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace corewise {
namespace {

TEST(NodeClocks, AMessageEachWayBoundsTheLead) {
  // Node 1 is 5 s ahead. A message to node 1 takes 2 s (sent at 10, received at 17), a message back 4 s (sent
  // at 20, received at 19). The lead is at most 7 and at least 1 s: 4 +- 3 s. Messages at one time don't show
  // the drift.
  ClockComparison comparison;
  comparison.add({0, 1, 10, 17});
  comparison.add({1, 0, 20, 19});
  const std::vector<NodeClock> clocks = comparison.clocks({{0, 30}, {17, 20}});
  EXPECT_EQ(clocks[0].at(12.5), 12.5);
  EXPECT_EQ(clocks[0].error_s, 0.0);
  EXPECT_NEAR(clocks[1].at(18.5), 14.5, 1e-9);
  EXPECT_NEAR(clocks[1].error_s.value(), 3, 0.01);
}

TEST(NodeClocks, MessagesInOneDirectionBindNothing) {
  ClockComparison comparison;
  comparison.add({0, 1, 10, 17});
  const std::vector<NodeClock> clocks = comparison.clocks({{0, 30}, {0, 30}, {0, 30}});
  for (const std::size_t node : {1u, 2u}) {
    EXPECT_FALSE(clocks[node].error_s.has_value());
    EXPECT_EQ(clocks[node].at(18.5), 18.5);
  }
}

TEST(NodeClocks, ANodeThatTalksToAnotherAloneIsComparedThroughIt) {
  // 0 - 1 - 2: each node is 1 s ahead of the previous node. Messages take 0.1 s.
  ClockComparison comparison;
  for (const std::size_t node : {0u, 1u}) {
    comparison.add({node, node + 1, 10, 11.1});
    comparison.add({node + 1, node, 11.2, 10.3});
  }
  const std::vector<NodeClock> clocks = comparison.clocks({{10, 12}, {10, 12}, {10, 12}});
  EXPECT_NEAR(clocks[2].at(12), 10, 1e-3);
  EXPECT_NEAR(clocks[2].error_s.value(), 0.2, 0.01);
}

TEST(NodeClocks, OfNoNodeAreNone) { EXPECT_TRUE(ClockComparison().clocks({}).empty()); }

TEST(NodeClocks, ThatJumpAreFollowedAsWellAsAnEvenClockCan) {
  // Node 1's clock is set back by 2 s in the middle: no constant rate is consistent with all messages.
  ClockComparison comparison;
  for (int i = 0; i < 100; ++i) {
    const double lead = i < 50 ? 2 : 0;
    comparison.add({0, 1, i + 0.0, i + lead + 0.001});
    comparison.add({1, 0, i + lead + 0.5, i + 0.501});
  }
  const NodeClock clock = comparison.clocks({{0, 100}, {0, 102}})[1];
  EXPECT_GT(clock.error_s.value(), 0.9);
  EXPECT_LE(std::abs(clock.at(52) - 50), *clock.error_s);
  EXPECT_LE(std::abs(clock.at(90) - 90), *clock.error_s);
}

class MadeClocks : public testing::TestWithParam<unsigned> {};

TEST_P(MadeClocks, AreFoundWithinTheStatedErrorAndNoMessageArrivesBeforeItIsSent) {
  std::mt19937 random(GetParam());
  std::uniform_real_distribution<double> unit(0, 1);
  const std::size_t n_nodes = 2 + random() % 5;
  const double length_s = std::pow(10, 4 * unit(random) - 1);  // 0.1 s to 1000 s
  const double delay_s = std::pow(10, 3 * unit(random) - 6);
  std::vector<NodeClock> made(n_nodes);  // [node] converts node 0's time to the node's time
  std::vector<NodeSpan> spans(n_nodes);
  for (std::size_t node = 0; node < n_nodes; ++node) {
    if (node > 0) made[node] = {(unit(random) - 0.5) * 100, 1 + (unit(random) - 0.5) * 2e-4, {}};
    spans[node] = {made[node].at(0), made[node].at(length_s)};
  }
  ClockComparison comparison;
  std::vector<CrossingMessage> messages;
  for (int i = 0; i < 20000; ++i) {
    const std::size_t src = random() % n_nodes;
    const std::size_t dst = (src + 1 + random() % (n_nodes - 1)) % n_nodes;
    const double sent_s = unit(random) * length_s;
    const double took_s = delay_s * (1 - std::log(1 - unit(random)));
    messages.push_back({src, dst, made[src].at(sent_s), made[dst].at(sent_s + took_s)});
    comparison.add(messages.back());
  }
  const std::vector<NodeClock> found = comparison.clocks(spans);
  for (std::size_t node = 0; node < n_nodes; ++node) {
    const double error_s = found[node].error_s.value();
    EXPECT_LT(error_s, 20 * delay_s);
    for (const double time_s : {0.0, 0.3 * length_s, length_s})
      EXPECT_LE(std::abs(found[node].at(made[node].at(time_s)) - time_s), error_s + 1e-9);
  }
  if (n_nodes > 2) return;  // messages between other nodes have the errors of both
  for (const CrossingMessage& message : messages)
    EXPECT_LE(found[message.src].at(message.sent_s), found[message.dst].at(message.received_s) + 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Seeds, MadeClocks, testing::Range(0u, 40u));

}  // namespace
}  // namespace corewise
